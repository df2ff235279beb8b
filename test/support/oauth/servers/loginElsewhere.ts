import type { Interception } from './authorizationServer.js';

/** An authorization server that sends people to another host first, to sign in there, as many do. */
export function loginElsewhere(loginUrl: string, issuer: string): Interception {
  return ({ path, parameters }, response) => {
    if (parameters.has('known')) return false;
    const back = `${issuer}${path}&known=yes`;
    response.writeHead(302, { location: `${loginUrl}?back=${encodeURIComponent(back)}` }).end();
    return true;
  };
}

/** Where `loginElsewhere` leads: it knows the person already and sends them back. */
export function sendBack(url: string | undefined, response: { writeHead(status: number, headers: Record<string, string>): { end(): unknown } }): void {
  response.writeHead(302, { location: new URL(url ?? '', 'http://here').searchParams.get('back') ?? '' }).end();
}
