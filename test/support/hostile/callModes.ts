import type { RemoteOutcome } from '../../../src/tools/remoteTools.js';
import { on, reply, replyResult, type Behaviour } from '../hostileMcpServer.js';

const result = (value: unknown): Behaviour => on('tools/call', (message, response) => replyResult(response, message, value));
const done = [{ type: 'text', text: 'done' }];

/** The output schema of the tool that is called. */
export const calledSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };

/** One way in which a call goes wrong, by its number in the list of cases. */
export interface CallMode {
  readonly title: string;
  readonly behaviour: Behaviour;
  readonly outcome: Partial<RemoteOutcome>;
  /** Whether the tool is called as one with an output schema. */
  readonly withSchema?: true;
  /** Whether the connection is used again for the next call. */
  readonly keeps: boolean;
}

export const callModes: readonly CallMode[] = [
  { title: 'case 42: says itself that it failed', behaviour: result({ content: done, isError: true }), outcome: { kind: 'answered', isError: true }, keeps: true },
  {
    title: 'case 49: breaks the connection after the call was sent',
    behaviour: on('tools/call', (_, response) => response.destroy()),
    outcome: { kind: 'unknown', cause: 'connection_lost' },
    keeps: false,
  },
  { title: 'case 49: answers with a server error', behaviour: on('tools/call', (_, response) => reply(response, '', 502)), outcome: { kind: 'unknown', cause: 'server_error', message: 'It answered HTTP 502.' }, keeps: false },
  { title: 'case 50: leaves structured content out', behaviour: result({ content: done }), outcome: { kind: 'invalid', content: done, structured: null }, withSchema: true, keeps: true },
  {
    title: 'case 50: brings structured content that breaks its schema',
    behaviour: result({ content: done, structuredContent: { n: 'x' } }),
    outcome: { kind: 'invalid', content: done, structured: { n: 'x' } },
    withSchema: true,
    keeps: true,
  },
  {
    title: 'case 51: brings a kind of content nobody knows',
    behaviour: result({ content: [{ type: 'hologram', x: 1 }] }),
    outcome: { kind: 'answered', content: [{ type: 'unsupported', value: { type: 'hologram', x: 1 } }] },
    keeps: true,
  },
  {
    title: 'case 51: brings an image that is no base64',
    behaviour: result({ content: [{ type: 'image', data: '***', mimeType: 'image/png' }] }),
    outcome: { kind: 'answered', content: [{ type: 'unsupported', value: { type: 'image', data: '***', mimeType: 'image/png' } }] },
    keeps: true,
  },
  { title: 'case 52: starts a task', behaviour: result({ task: { taskId: 't', status: 'working' } }), outcome: { kind: 'unknown', cause: 'protocol_error' }, keeps: false },
  { title: 'case 52: starts a task, as the newest revision says it', behaviour: result({ resultType: 'task', taskId: 't' }), outcome: { kind: 'unknown', cause: 'protocol_error' }, keeps: false },
  { title: 'case 52: wants more input', behaviour: result({ resultType: 'input_required', inputRequests: [] }), outcome: { kind: 'rejected', code: 'unsupported' }, keeps: true },
];

/** Case 23: a call that makes progress for ever and never answers. */
export const endlessProgress: Behaviour = on('tools/call', (message, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const { progressToken } = (message.params['_meta'] ?? {}) as { readonly progressToken?: unknown };
  let progress = 0;
  const tick = (): void => {
    if (response.destroyed) return;
    progress += 1;
    response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress, message: `step ${progress}` } })}\n\n`, () => setImmediate(tick));
  };
  tick();
});
