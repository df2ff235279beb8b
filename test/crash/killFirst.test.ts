import { crashRuns, describeKills } from '../support/crash/describeKills.js';

describeKills(0, Math.ceil(crashRuns / 2));
