// Builds dist/: every module by itself with the native compiler, and dist/program/, where the command line and the workers
// are joined with what they import, because reading a thousand small files is most of what a short command does.
// Written beside the old output and never emptied while it may be in use.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = fileURLToPath(new URL('../node_modules/@typescript/native/bin/tsc', import.meta.url));
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });

const workers = readdirSync(`${root}/src`, { recursive: true }).filter((path) => path.endsWith('Worker.ts'));
await bundle({
  entryPoints: ['app/bin.ts', ...workers].map((path) => `src/${path}`),
  outbase: 'src',
  outdir: 'dist/program',
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
});
process.exit(status ?? 1);
