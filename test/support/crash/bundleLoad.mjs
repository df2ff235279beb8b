// Joins workUntilKilled.mjs with the program into the file that is named: two hundred starts are quicker then.
import { bundle } from '../../../scripts/bundle.mjs';

await bundle({ entryPoints: ['test/support/crash/workUntilKilled.mjs'], outfile: process.argv[2] });
