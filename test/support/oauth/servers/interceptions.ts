import type { Interception } from './authorizationServer.js';

/** Never answers. */
export const stalled: Interception = () => true;

/** Answers with a JSON text that has so many bytes. */
export function huge(bytes: number): Interception {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(`{"filler":"${'x'.repeat(bytes - 13)}"}`);
    return true;
  };
}
