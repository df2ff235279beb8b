import { Fault } from '../platform/fault.js';
import { maxLineBytes } from './protocol.js';

/**
 * One message as a line of JSON, with its line feed.
 * @throws Fault `message_too_large` when it is over the limit of a line, or nested too deeply to be written
 */
export function encodeLine(message: object): string {
  let line: string;
  try {
    line = `${JSON.stringify(message)}\n`;
  } catch (error) {
    throw new Fault('failed', 'message_too_large', 'The message is nested too deeply, or is too large, to be sent. Ask for less at once.', {}, { cause: error });
  }
  const bytes = Buffer.byteLength(line) - 1;
  if (bytes <= maxLineBytes) return line;
  throw new Fault('failed', 'message_too_large', `The message has ${bytes} bytes, the limit is ${maxLineBytes}. Ask for less at once.`, { bytes, limit: maxLineBytes });
}
