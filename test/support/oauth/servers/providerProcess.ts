import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** What a resource server learns about a token that is still good. */
export interface TokenFacts {
  readonly audience: string;
  readonly scopes: readonly string[];
  readonly clientId: string;
  readonly subject: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** The provider's own settings, which hold from the next request on. */
export interface ProviderSettings {
  readonly accessTokenSeconds: number;
  /** Who gets a refresh token: every client that may have one, or only with the scope `offline_access` (and `prompt=consent`). */
  readonly refreshTokens: 'always' | 'offline_access' | 'never';
  /** Each refresh gives a new refresh token, and an old one ends the grant. */
  readonly rotation: boolean;
  /** Whom tokens are for, whatever resource was asked for; null: for that resource. */
  readonly audience: string | null;
  /** false: `invalid_target` for every resource. */
  readonly acceptsResources: boolean;
  /** Where client metadata documents are really fetched: `{ 'https://bot.example': 'http://127.0.0.1:1234' }`. */
  readonly documentHosts: Readonly<Record<string, string>>;
}

/** A client of RFC 7591 that the server's administrator entered by hand. */
export interface GivenClient {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly token_endpoint_auth_method: 'none' | 'client_secret_basic' | 'client_secret_post';
  readonly application_type: 'native' | 'web';
  readonly redirect_uris: readonly string[];
  readonly grant_types: readonly string[];
  readonly response_types: readonly string[];
}

/** The commands of oidcProvider.mjs, with what each takes and gives. */
interface Commands {
  readonly set: [Partial<ProviderSettings>, null];
  readonly addClient: [GivenClient, null];
  readonly forgetClients: [undefined, null];
  readonly expireAccessTokens: [undefined, null];
  readonly revokeGrants: [undefined, null];
  readonly introspect: [string, TokenFacts | null];
}

export interface ProviderProcess {
  readonly port: number;
  tell<Name extends keyof Commands>(command: Name, ...argument: Commands[Name][0] extends undefined ? [] : [Commands[Name][0]]): Promise<Commands[Name][1]>;
  /** Fails when the provider met an error of its own meanwhile. */
  stop(): Promise<void>;
}

type Said = { readonly port: number } | { readonly fault: string } | { readonly id: number; readonly answer: unknown };

const script = fileURLToPath(new URL('oidcProvider.mjs', import.meta.url));
/** Its advice for production, and that it prefers a newer Node. */
const advice = /^oidc-provider (WARNING|NOTICE): /;

/** Starts oidc-provider for an issuer that somebody else serves to the world. */
export async function startProviderProcess(issuer: string): Promise<ProviderProcess> {
  const child = fork(script, [issuer], { env: { PATH: process.env['PATH'] }, execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const errors = createInterface(child.stderr ?? Readable.from([]));
  const faults: string[] = [];
  errors.on('line', (line) => !advice.test(line) && faults.push(line));
  // What it wrote last may come after its end; `close`, which means both, never comes once the channel was closed from here.
  const exited = Promise.all([once(child, 'exit'), once(errors, 'close')]);
  const ended = exited.then((): never => {
    throw new Error(`The authorization server ended. ${faults.join('\n')}`);
  });
  ended.catch(() => undefined);
  const answers = new Map<number, (answer: unknown) => void>();
  const listening = new Promise<number>((resolve) => {
    child.on('message', (said: Said) => {
      if ('port' in said) resolve(said.port);
      else if ('fault' in said) faults.push(said.fault);
      else answers.get(said.id)?.(said.answer);
    });
  });
  let asked = 0;
  return {
    port: await Promise.race([listening, ended]),
    tell<Answer>(command: string, argument?: unknown) {
      asked += 1;
      const id = asked;
      const answered = new Promise<Answer>((resolve) => answers.set(id, resolve as (answer: unknown) => void));
      child.send({ id, command, argument });
      return Promise.race([answered, ended]);
    },
    async stop() {
      if (child.connected) child.disconnect();
      await exited;
      if (faults.length > 0) throw new Error(`The authorization server failed: ${faults.join('\n')}`);
    },
  };
}
