import { crashRuns, describeKills } from '../support/crash/describeKills.js';

describeKills(1_000, Math.floor(crashRuns / 2));
