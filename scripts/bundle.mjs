import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** The words of zod's messages in fifty languages, of which only the English ones are used, would be read at every start. */
const onlyEnglish = {
  name: 'only-english',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: "export { default as en } from './en.js';" }));
  },
};

/**
 * Joins programs with what they import into few files for Node.
 * @param options esbuild's own: at least entry points, and where the output goes
 */
export function bundle(options) {
  return build({
    absWorkingDir: fileURLToPath(new URL('..', import.meta.url)),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.18',
    // Has native code that it finds from where it lies.
    external: ['better-sqlite3'],
    // For packages that are written as CommonJS.
    banner: { js: "import { createRequire as createRequireHere } from 'node:module'; const require = createRequireHere(import.meta.url);" },
    plugins: [onlyEnglish],
    logLevel: 'warning',
    ...options,
  });
}
