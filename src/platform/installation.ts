/**
 * Where this copy of the program lies. The same code runs from `src/` under the test runner, from `dist/` module by
 * module, and from `dist/program/`, where the command line's modules are joined into a few files so that it starts quickly.
 */
const [, root = '', part = ''] = /^(.*\/)(src|dist\/program|dist)\//.exec(import.meta.url) ?? [];

/** A file of the package, by its path from the package's own directory. */
export function packageFile(path: string): URL {
  return new URL(path, root);
}

/**
 * The built code of a worker. Node 20 cannot start a TypeScript worker, so source code that runs under a test runner
 * starts what the last build made.
 * @param path from the source directory, with the `.js` extension, e.g. `events/sqlite/writing/writerWorker.js`
 * @returns a `file:` URL that `new Worker()` accepts
 */
export function workerFile(path: string): URL {
  return packageFile(`${part === 'src' ? 'dist/program' : part}/${path}`);
}
