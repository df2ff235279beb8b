// Compiles src/ to dist/ with the native compiler. Written beside the old output and never emptied while it may be in use.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = fileURLToPath(new URL('../node_modules/@typescript/native/bin/tsc', import.meta.url));
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
process.exit(status ?? 1);
