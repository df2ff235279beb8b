/** What a person reads on a page of ours. */
export function pageText(html: string): string {
  return html
    .replace(/<style>[^]*<\/style>/, '')
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ');
}
