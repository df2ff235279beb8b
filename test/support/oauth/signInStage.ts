import { afterAll, beforeAll, expect } from '@jest/globals';
import { dataDirectories } from '../cli/dataDirectories.js';
import { besideServe, type Runner } from '../cli/inProcess.js';
import { startAuthorizationServer, type AuthorizationServer } from './servers/authorizationServer.js';
import { startProtectedMcpServer, type ProtectedMcpServer } from './servers/protectedMcpServer.js';
import { beginSignIn, signInAt, type BegunSignIn } from './signInFrom.js';
import { secretNames, signInRecord, traceOf } from './signInTraces.js';

/** Everything a sign-in takes, real: a `serve` in this process, an authorization server, and a server `club` that wants its tokens. */
export interface SignInStage {
  readonly data: string;
  readonly run: Runner;
  readonly authorization: AuthorizationServer;
  readonly server: ProtectedMcpServer;
  begin(...args: string[]): Promise<BegunSignIn>;
  /** At another server than `club`. */
  beginAt(name: string): Promise<BegunSignIn>;
  /** What is on record of sign-ins since this was asked for last. */
  newlyRecorded(): readonly string[];
  /** Fails when the work changed the ledger or the vault. */
  unchangedBy(work: () => Promise<unknown>): Promise<void>;
  /** Whether tokens of an account lie in the vault. */
  holdsAccount(): boolean;
  /** The admin signs in, the whole way, and the tools work. */
  signIn(): Promise<void>;
}

/** Sets it up for the tests of the file or `describe` at hand; its parts are there when they run. */
export function signInStage({ env = {} }: { readonly env?: Readonly<Record<string, string>> } = {}): SignInStage {
  const data = dataDirectories()();
  const run = besideServe(data, { env });
  const parts: { authorization?: AuthorizationServer; server?: ProtectedMcpServer } = {};
  let seen = 0;
  beforeAll(async () => {
    parts.authorization = await startAuthorizationServer();
    parts.server = await startProtectedMcpServer(parts.authorization);
    expect(await run.json('mcp', 'add', parts.server.url, '--name', 'club')).toMatchObject({ code: 0, document: { needsSignIn: true } });
  });
  afterAll(async () => {
    await parts.server?.stop();
    await parts.authorization?.stop();
  });
  const started = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('not started yet');
    return part;
  };
  const begin = async (...args: string[]): Promise<BegunSignIn> => beginSignIn(data, ['club', ...args], { env });
  const newlyRecorded = (): readonly string[] => {
    const record = signInRecord(data);
    // Whether there was an account before is up to the tests before, which may not have run.
    const fresh = record.slice(seen).filter((event) => event !== 'McpSignedOut replaced');
    seen = record.length;
    return fresh;
  };
  return {
    data,
    run,
    get authorization() {
      return started(parts.authorization);
    },
    get server() {
      return started(parts.server);
    },
    begin,
    beginAt: (name) => beginSignIn(data, [name], { env }),
    newlyRecorded,
    async unchangedBy(work) {
      const before = traceOf(data);
      await work();
      expect(traceOf(data)).toEqual(before);
    },
    holdsAccount: () => secretNames(data).includes('grant'),
    async signIn() {
      const { link, ended } = await begin();
      expect((await signInAt(link)).html).toContain('Signed in to club; it offers 2 tools.');
      expect(await ended).toMatchObject({ code: 0, document: { status: 'signed_in', found: { tools: [{ name: 'whoami' }, { name: 'admin' }] } } });
      expect(await run.json('call', 'whoami')).toMatchObject({ code: 0, document: { status: 'succeeded' } });
    },
  };
}
