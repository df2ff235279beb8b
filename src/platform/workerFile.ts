import { fileURLToPath } from 'node:url';

/**
 * Where the built code of a worker lies. Node 20 cannot start a TypeScript worker, so source code that runs
 * under a test runner starts the worker from the built output.
 *
 * @param importMetaUrl `import.meta.url` of the caller
 * @param relative path of the worker relative to the caller, with the `.js` extension, e.g. `./writerWorker.js`
 * @returns a `file:` URL that `new Worker()` accepts
 */
export function workerFile(importMetaUrl: string, relative: string): URL {
  const url = new URL(relative, importMetaUrl);
  const path = fileURLToPath(url);
  const marker = `${sep(path)}src${sep(path)}`;
  if (!importMetaUrl.endsWith('.ts')) return url;
  const at = path.lastIndexOf(marker);
  if (at < 0) return url;
  return new URL(`file://${path.slice(0, at)}/dist/${path.slice(at + marker.length)}`);
}

function sep(path: string): string {
  return path.includes('\\') ? '\\' : '/';
}
