import fc from 'fast-check';
import type { McpServersEvent } from '../../../src/events/catalogue/mcpServers/mcpServers.js';
import type { McpSignInEvent } from '../../../src/events/catalogue/mcpSignIn.js';
import { admit, cancel, fail, loseTrack, refuse, remoteRoute, settle, succeed } from './callEvents.js';
import { TestLedger } from './testLedger.js';

const serverId = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const words = ['alpha', 'beta', 'gamma', '東京都', 'naïve', 'x1'];

/** One thing that may happen; `pick` numbers choose among what is possible then. */
export interface Step {
  readonly kind: 'admit' | 'refuse' | 'end' | 'settle' | 'register' | 'server' | 'connection' | 'signIn' | 'discover' | 'switch' | 'workspace' | 'erase' | 'drop' | 'odd';
  readonly pick: readonly [number, number, number, number];
}

export const steps = (maxLength: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({
      kind: fc.constantFrom<Step['kind']>('admit', 'admit', 'admit', 'refuse', 'end', 'end', 'end', 'settle', 'register', 'server', 'connection', 'signIn', 'discover', 'switch', 'workspace', 'erase', 'drop', 'odd'),
      pick: fc.tuple(fc.nat(99), fc.nat(99), fc.nat(99), fc.nat(99)),
    }),
    { maxLength },
  );

/** What may happen to the connection of a server, to its tools' switches and to whom it is for. */
function connectionEvents(server: string, a: number, b: number, c: number): readonly McpServersEvent[] {
  const of = { serverId: server };
  const failed: McpServersEvent = { type: 'McpConnectionFailed', data: { ...of, class: 'timeout', counted: b % 3 > 0, streak: 1 + (b % 9), cooldownMs: (c % 4) * 1_000 } };
  const choices: readonly (readonly McpServersEvent[])[] = [
    [failed],
    [failed, { type: 'McpServerAutoDisabled', data: { ...of, class: 'timeout', failures: 1 + (b % 9), failingSince: c } }],
    [{ type: 'McpConnectionRecovered', data: of }],
    [{ type: 'McpServerParked', data: { ...of, reason: 'needs_sign_in' } }],
    [{ type: 'McpServerUnparked', data: of }],
    [{ type: 'McpSessionExpired', data: of }],
    [b % 2 === 0 ? { type: 'McpCredentialDeleted', data: of } : { type: 'McpCredentialReplaced', data: { ...of, credential: 'token' } }],
    [{ type: 'McpToolSwitchSet', data: { ...of, remoteName: ['r', 's'][b % 2] ?? 'r', on: c % 2 === 0 } }],
    [{ type: 'McpServerAudienceSet', data: { ...of, roles: b % 2 === 0 ? null : ['1'], channels: c % 2 === 0 ? null : ['2'], person: null } }],
  ];
  return choices[a % choices.length] ?? [];
}

/** What may happen to the account that a server is used with. */
function signInEvents(server: string, a: number, b: number): McpSignInEvent {
  const of = { serverId: server };
  const choices: readonly McpSignInEvent[] = [
    { type: 'McpSignInCompleted', data: { ...of, signInId: server, issuer: 'https://as.example', signer: server, scopes: b % 2 === 0 ? null : ['tools'], audience: 'everyone', renewable: b % 3 === 0, expiresAt: null } },
    { type: 'McpReauthorizationRequired', data: { ...of, reason: 'invalid_grant', scopes: [] } },
    { type: 'McpSignedOut', data: { ...of, reason: 'asked', revocation: 'revoked' } },
    { type: 'McpTokenRefreshed', data: { ...of, rotated: true, expiresAt: null, scopes: null } },
  ];
  return choices[a % choices.length] ?? { type: 'McpSignInFailed', data: { ...of, signInId: server, reason: 'expired' } };
}

/** Writes histories as the deciders would let them happen, and now and then an event that no view can fold. */
export class RandomHistory {
  readonly ledger = new TestLedger();
  readonly #open: string[] = [];
  readonly #unknown: string[] = [];
  #calls = 0;
  #servers = 0;
  #removed = new Set<number>();

  take({ kind, pick: [a, b, c, d] }: Step): void {
    const workspace = ['local', 'g1', 'g2'][a % 3] ?? 'local';
    const settings = { actor: ['ada', 'bob'][b % 2] ?? 'ada', onBehalfOf: c % 3 === 0 ? 'cyd' : null, workspace, personal: { arguments: words.slice(d % 6) } };
    const data = {
      tool: ['dice', 'echo'][c % 2] ?? 'dice',
      route: d % 2 === 0 ? remoteRoute(serverId(d % 3), `Server${d % 3}`) : ({ kind: 'builtin', definition: null } as const),
      channel: d % 5 === 0 ? String(d) : null,
    };
    const server = a % Math.max(1, this.#servers);
    const registered = this.#servers > 0 && !this.#removed.has(server);
    const stream = 'mcpServers-local';
    switch (kind) {
      case 'admit':
        this.#open.push(this.#newCall());
        admit(this.ledger, this.#open.at(-1) ?? '', data, settings);
        return;
      case 'refuse':
        refuse(this.ledger, this.#newCall(), { ...data, reasons: ['switched_off', 'unknown_tool'].slice(a % 2) }, settings);
        return;
      case 'end':
        this.#end(a, b, words[c % 6] ?? '');
        return;
      case 'settle': {
        const [id] = this.#unknown.splice(a % Math.max(1, this.#unknown.length), 1);
        if (id !== undefined) settle(this.ledger, id, b % 2 === 0 ? 'succeeded' : 'failed', { personal: { because: words[c % 6] ?? '' } });
        return;
      }
      case 'register':
        this.ledger.add(
          { type: 'McpServerRegistered', data: { serverId: serverId(this.#servers), name: `S${this.#servers}`, kind: 'generic', scheme: 'https', host: 'h', port: 1, credential: 'none' } },
          { stream },
        );
        this.#servers += 1;
        return;
      case 'server':
        if (!registered) return;
        if (b % 3 === 2) this.#removed.add(server);
        this.ledger.add({ type: (['McpServerEnabled', 'McpServerDisabled', 'McpServerRemoved'] as const)[b % 3] ?? 'McpServerEnabled', data: { serverId: serverId(server) } }, { stream });
        return;
      case 'connection':
        if (registered) for (const event of connectionEvents(serverId(server), b, c, d)) this.ledger.add(event, { stream });
        return;
      case 'signIn':
        if (registered) this.ledger.add(signInEvents(serverId(server), b, c), { stream: `mcpSignIn-${serverId(server)}` });
        return;
      case 'discover': {
        const tools = Array.from({ length: b % 4 }, (_, index) => ({ name: `t${index}`, remoteName: 'r', definition: String((c + index) % 7).padStart(64, '0') }));
        if (!registered) return;
        this.ledger.add({ type: 'McpToolsDiscovered', data: { serverId: serverId(server), tools, skipped: [], instructions: null } }, { stream });
        const definitions = tools.map(({ definition }) => definition);
        if (d % 2 === 0) this.ledger.add({ type: 'McpToolDefinitionsAccepted', data: { serverId: serverId(server), definitions } }, { stream });
        return;
      }
      case 'switch':
        this.ledger.add({ type: 'ToolSwitchSet', data: { tool: ['dice', 'echo'][b % 2] ?? 'dice', on: c % 2 === 0 } }, { stream: `toolSettings-${workspace}` });
        if (d % 3 === 0) this.ledger.add({ type: 'DefinitionPolicySet', data: { policy: (['warn', 'hold', null] as const)[d % 2 === 0 ? 2 : c % 2] ?? null } }, { stream: `toolSettings-${workspace}` });
        return;
      case 'workspace':
        this.ledger.add({ type: 'WorkspaceOpened', data: { kind: 'guild' } }, { stream: `workspace-${workspace}` });
        if (b % 2 === 0) this.ledger.add({ type: 'WorkspaceClosed', data: {} }, { stream: `workspace-${workspace}` });
        return;
      case 'erase': {
        const subject = ['ada', 'bob', 'cyd'][a % 3] ?? 'ada';
        this.ledger.add({ type: 'SubjectErased', data: { subject } }, { stream: 'ledger-privacy' });
        // Else the process died before the key was destroyed.
        if (b % 2 === 0) this.ledger.erased.add(subject);
        return;
      }
      case 'drop':
        this.#drop(1 + (a % Math.max(1, this.ledger.events.length)), b);
        return;
      case 'odd':
        if (a % 2 === 0) succeed(this.ledger, `nobody${a}`);
        else this.ledger.addRaw('ToolCallAdmitted', '{', { stream: `toolCall-broken${b}` });
        return;
    }
  }

  /** Drops calls that begin in a stretch and are over, but for some. */
  #drop(from: number, length: number): void {
    const to = from + length;
    const kept: number[] = [];
    const going: number[] = [];
    for (const [index, { type, stream, revision }] of this.ledger.events.entries()) {
      if (index + 1 < from || index + 1 > to || revision > 0 || (type !== 'ToolCallAdmitted' && type !== 'ToolCallRefused')) continue;
      const events = this.ledger.events.flatMap((event, at) => (event.stream === stream ? [{ ...event, ordinal: at + 1 }] : []));
      const last = events.at(-1)?.type;
      if (last === 'ToolCallAdmitted' || last === 'ToolCallOutcomeUnknown' || index % 5 === 0) kept.push(index + 1);
      else going.push(...events.map(({ ordinal }) => ordinal));
    }
    this.ledger.add({ type: 'EventsDropped', data: { category: 'toolCall', from, to, kept, events: going.length, recordedBefore: 0 } }, { stream: 'ledger-operations' });
    this.ledger.drop(going);
  }

  #newCall(): string {
    this.#calls += 1;
    return `c${this.#calls}`;
  }

  #end(which: number, how: number, word: string): void {
    const [id] = this.#open.splice(which % Math.max(1, this.#open.length), 1);
    if (id === undefined) return;
    const ends = [succeed, cancel, loseTrack, (ledger: TestLedger, callId: string, settings: object) => fail(ledger, callId, 'bad_input', settings)];
    ends[how % 4]?.(this.ledger, id, how % 4 === 1 ? {} : { personal: { preview: word } });
    if (how % 4 === 2) this.#unknown.push(id);
  }
}
