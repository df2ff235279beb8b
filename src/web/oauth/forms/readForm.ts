import { Fault } from '../../../platform/fault.js';
import { formFields } from './formFields.js';

const maxBytes = 16 * 1024;

/**
 * The fields of a posted form of at most 16 KiB.
 * @throws Fault `not_a_form`, `form_too_large`, usage `malformed_request`
 */
export async function readForm(request: Request): Promise<ReadonlyMap<string, string>> {
  if (!isForm(request.headers.get('content-type'))) throw new Fault('failed', 'not_a_form', 'Only what a form of these pages sends is taken: application/x-www-form-urlencoded.');
  const said = Number(request.headers.get('content-length') ?? 0);
  const bytes = said > maxBytes ? null : await readAtMost(request.body);
  if (bytes === null) throw new Fault('failed', 'form_too_large', `A form may have at most ${maxBytes} bytes. Go back to the page before and fill in less.`);
  return formFields(asText(bytes));
}

function isForm(contentType: string | null): boolean {
  return /^application\/x-www-form-urlencoded(?:\s*;\s*charset="?utf-8"?)?\s*$/i.test(contentType ?? '');
}

/** @returns null when there is more */
async function readAtMost(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = [];
  let total = 0;
  try {
    for await (const part of body ?? []) {
      total += part.byteLength;
      if (total > maxBytes) return null;
      parts.push(part);
    }
  } catch (error) {
    throw new Fault('usage', 'malformed_request', 'The connection broke before the whole form had come. Go back to the page before and press the button again.', {}, { cause: error });
  }
  return Buffer.concat(parts);
}

function asText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Fault('usage', 'malformed_request', 'The form is not UTF-8, so it is not used. Go back to the page before and press the button again.');
  }
}
