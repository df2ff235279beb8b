import { readFileSync } from 'node:fs';
import { packageFile } from '../platform/installation.js';

/** The product's version, from its package. */
export const version: string = (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }).version;
