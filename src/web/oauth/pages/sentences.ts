import { html, type Html } from './html.js';

/** Words of another party in their quotes, which are shown as they came, or a piece of code of ours. */
const pieces = /(\u201c[^\u201d]*\u201d?)|`([^`]+)`/g;

/** A message as it is shown: what stands between backticks as code. Nothing else in it is HTML. */
export function sentences(message: string): readonly Html[] {
  const shown: Html[] = [];
  let from = 0;
  for (const { 0: whole, 2: code, index } of message.matchAll(pieces)) {
    shown.push(html`${message.slice(from, index)}`, code === undefined ? html`${whole}` : html`<code>${code}</code>`);
    from = index + whole.length;
  }
  return [...shown, html`${message.slice(from)}`];
}
