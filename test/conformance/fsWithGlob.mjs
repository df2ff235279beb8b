// The conformance suite imports `globSync`, which Node 20 does not have, for a command that is not used here.
import { register } from 'node:module';

const glob = 'export * from "node:fs"; export { default } from "node:fs"; export function globSync() { throw new Error("globSync is not there"); }';
const hook = `
export async function resolve(specifier, context, next) {
  if (specifier === 'fs' && context.parentURL?.includes('/@modelcontextprotocol/conformance/')) {
    return { url: 'data:text/javascript,' + encodeURIComponent(${JSON.stringify(glob)}), shortCircuit: true };
  }
  return next(specifier, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
