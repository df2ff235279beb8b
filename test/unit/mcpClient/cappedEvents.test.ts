import { describe, expect, it } from '@jest/globals';
import { cappedEvents } from '../../../src/mcp/client/connecting/transport/cappedEvents.js';
import type { NetFault } from '../../../src/platform/net/netFault.js';

/** What comes of a stream of these chunks when an event may have ten bytes. */
async function through(...chunks: readonly string[]): Promise<{ readonly text: string; readonly seen: number; readonly cut: string | null }> {
  let seen = 0;
  let cut: NetFault | null = null;
  const body = new ReadableStream<Uint8Array>({
    start(out) {
      for (const chunk of chunks) out.enqueue(new TextEncoder().encode(chunk));
      out.close();
    },
  });
  let text = '';
  try {
    const capped = cappedEvents(body, 10, { seen: (bytes) => (seen += bytes), tooLarge: (fault) => (cut = fault) });
    for await (const chunk of capped as unknown as AsyncIterable<Uint8Array>) text += new TextDecoder().decode(chunk);
  } catch (error) {
    expect(error).toBe(cut);
  }
  return { text, seen, cut: (cut as NetFault | null)?.code ?? null };
}

describe('the events of a stream', () => {
  it.each([
    ['LF', ['data: ab\n\n']],
    ['CR', ['data: ab\r\r']],
    ['CR LF', ['dat: \r\n\r\n', 'dat: \r\n\r\n']],
    ['a chunk for each byte', 'data: ab\n\ndata: ab\n\n'.split('')],
    ['comments between', [': ping\n\n', 'data: ab\n\n', ': ping\n\n']],
    ['many in one chunk', ['data: ab\n\n'.repeat(1_000)]],
  ])('pass when each has exactly the bytes allowed, lines ending in %s', async (_, chunks) => {
    const whole = chunks.join('');
    expect(await through(...chunks)).toEqual({ text: whole, seen: whole.length, cut: null });
  });

  it.each([
    ['one byte more', ['data: abc\n\n']],
    ['lines without end', ['data: a\n', 'data: b\n']],
    ['a line without end', 'data: aaaaaaaaaaa'.split('')],
  ])('are cut with %s', async (_, chunks) => {
    expect(await through(...chunks)).toMatchObject({ cut: 'response_too_large' });
  });
});
