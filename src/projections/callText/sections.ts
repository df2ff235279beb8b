/**
 * How the words of a call lie in one text of the index: first the clear ones, then a section for each box, which begins
 * with a token that says whose it is. So the calls with a person's words are found through the index itself, and their
 * words can be taken out without knowing anything else.
 */

/** Begins the token of a section. A private-use character, which no word of a text can hold. */
const mark = '\u{E001}';

/** The token that stands before a person's words. */
export function ownerToken(subject: string): string {
  // The index splits at the dash of an id.
  return mark + subject.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** The text with a person's words at its end. */
export function withSection(text: string, subject: string, words: string): string {
  return `${text} ${ownerToken(subject)} ${words}`;
}

/** The text without anything of a person. */
export function withoutSections(text: string, subject: string): string {
  const token = `${ownerToken(subject).slice(mark.length)} `;
  const [clear = '', ...sections] = text.split(` ${mark}`);
  return [clear, ...sections.filter((section) => !section.startsWith(token))].join(` ${mark}`);
}
