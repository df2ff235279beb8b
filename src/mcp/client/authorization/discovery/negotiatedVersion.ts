/** An answer to `initialize` is small; a version that comes later than this, in characters, is not looked for. */
const mostCharacters = 65_536;

/**
 * The protocol version that a server chose in its answer to `initialize`, be that JSON or a stream of events. What follows
 * in the answer is let go of.
 * @returns null when it names none, or the answer breaks off
 */
export async function negotiatedVersion(answer: Response): Promise<string | null> {
  const reader = (answer.body as ReadableStream<Uint8Array> | null)?.getReader();
  if (reader === undefined) return null;
  const decoder = new TextDecoder();
  let text = '';
  try {
    while (text.length < mostCharacters) {
      const { done, value } = await reader.read();
      if (done) return null;
      text += decoder.decode(value, { stream: true });
      const version = /"protocolVersion"\s*:\s*"(\d{4}-\d{2}-\d{2})"/.exec(text)?.[1];
      if (version !== undefined) return version;
    }
    return null;
  } catch {
    return null;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
