import { listing, on, plainTool, replyResult, type Behaviour } from '../hostileMcpServer.js';

/** A tool like the well-behaved one, under another name. */
export const toolNamed = (name: string, more: object = {}): object => ({ ...plainTool, name, ...more });

const withInput = (schema: unknown): object => ({ inputSchema: schema });
const withOutput = (schema: unknown): object => ({ outputSchema: schema });
const dialect = (name: string): object => ({ inputSchema: { $schema: name, type: 'object' } });

/** Answers the nth request for a page with the nth page, the last one again and again. */
export function pages(...all: readonly { readonly tools: readonly unknown[]; readonly nextCursor?: unknown }[]): Behaviour {
  let at = 0;
  return on('tools/list', (message, response) => replyResult(response, message, all[Math.min(at++, all.length - 1)]));
}

/** A list whose every page leads to another one. */
export function endlessPages(page: (at: number) => readonly unknown[]): Behaviour {
  let at = 0;
  return on('tools/list', (message, response) => {
    at += 1;
    replyResult(response, message, { tools: page(at), nextCursor: `page ${at}` });
  });
}

/** One way in which a listing goes wrong, by its number in the list of cases, and what is left of it. */
export interface ListingMode {
  readonly title: string;
  readonly behaviour: () => Behaviour;
  /** The servers' own names of the tools that are taken. */
  readonly taken: readonly string[];
  readonly skipped: readonly { readonly name: string | null; readonly reason: string }[];
}

/** One bad tool between two good ones. */
function oneBad(title: string, bad: object, reason: string, name: string | null = 'bad'): ListingMode {
  return {
    title,
    behaviour: () => listing(toolNamed('first'), { ...plainTool, name: 'bad', ...bad }, toolNamed('last')),
    taken: ['first', 'last'],
    skipped: [{ name, reason }],
  };
}

/** Two good ones with one between them that is odd, and still good. */
function oneOdd(title: string, odd: object): ListingMode {
  return { title, behaviour: () => listing(toolNamed('first'), { ...plainTool, name: 'odd', ...odd }, toolNamed('last')), taken: ['first', 'odd', 'last'], skipped: [] };
}

export const listingModes: readonly ListingMode[] = [
  oneBad('case 7: a tool without an input schema', withInput(undefined), 'bad_input_schema'),
  oneBad('case 7: an input schema that is {}', withInput({}), 'bad_input_schema'),
  oneBad('case 7: an input schema that is null', withInput(null), 'bad_input_schema'),
  oneBad('case 7: an input schema that is a boolean', withInput(true), 'bad_input_schema'),
  oneBad('case 7: an input schema with oneOf at its root', withInput({ oneOf: [{ type: 'object' }] }), 'bad_input_schema'),
  oneOdd('case 8: a description that is null', { description: null }),
  oneOdd('case 8: an annotation that is text in place of a boolean', { annotations: { readOnlyHint: 'yes' } }),
  oneBad('case 9: an output schema with a dangling $ref', withOutput({ type: 'object', properties: { a: { $ref: '#/$defs/gone' } } }), 'schema_dangling_ref'),
  oneBad('case 9: an output schema with a remote $ref', withOutput({ type: 'object', properties: { a: { $ref: 'https://evil.example/s.json' } } }), 'schema_remote_ref'),
  oneBad('case 9: a remote $dynamicRef', withInput({ type: 'object', properties: { a: { $dynamicRef: 'https://evil.example/s.json' } } }), 'schema_remote_ref'),
  oneBad('case 9: a pattern that is no regular expression', withInput({ type: 'object', properties: { a: { type: 'string', pattern: '(' } } }), 'schema_bad_pattern'),
  oneBad('case 9: a schema that is none', withOutput({ type: 'object', properties: 7 }), 'schema_invalid'),
  oneOdd('case 10: draft-07', dialect('http://json-schema.org/draft-07/schema#')),
  oneOdd('case 10: 2020-12', dialect('https://json-schema.org/draft/2020-12/schema')),
  oneBad('case 10: another dialect', dialect('http://json-schema.org/draft-04/schema#'), 'schema_dialect'),
  {
    title: 'case 11: a cursor that never ends, over the same page',
    behaviour: () => endlessPages(() => [plainTool]),
    taken: ['plain'],
    skipped: [{ name: null, reason: 'list_repeats' }],
  },
  {
    title: 'case 11: a cursor that never ends, over new tools',
    behaviour: () => endlessPages((at) => [toolNamed(`t${at}`)]),
    taken: Array.from({ length: 50 }, (_, at) => `t${at + 1}`),
    skipped: [{ name: null, reason: 'too_many_pages' }],
  },
  {
    title: 'case 11: a cursor that comes again',
    behaviour: () => pages({ tools: [toolNamed('a')], nextCursor: 'x' }, { tools: [toolNamed('b')], nextCursor: 'x' }),
    taken: ['a', 'b'],
    skipped: [{ name: null, reason: 'list_repeats' }],
  },
  {
    title: 'case 12: an empty cursor, followed once',
    behaviour: () => pages({ tools: [toolNamed('a')], nextCursor: '' }, { tools: [toolNamed('b')], nextCursor: '' }),
    taken: ['a', 'b'],
    skipped: [{ name: null, reason: 'list_repeats' }],
  },
  { title: 'case 13: a cursor that is null', behaviour: () => pages({ tools: [plainTool], nextCursor: null }), taken: ['plain'], skipped: [] },
  {
    title: 'case 15: one name for two tools',
    behaviour: () => listing(toolNamed('two'), toolNamed('other'), toolNamed('two', { description: 'Another.' })),
    taken: ['other'],
    skipped: [{ name: 'two', reason: 'duplicate_name' }],
  },
  {
    title: 'case 17: names that model providers refuse',
    behaviour: () => listing(toolNamed('with space'), toolNamed('__proto__'), toolNamed('n'.repeat(200)), toolNamed('a/b')),
    taken: ['with space', '__proto__', 'n'.repeat(200), 'a/b'],
    skipped: [],
  },
  {
    title: 'case 17: names that nobody can use',
    behaviour: () => listing(toolNamed(''), toolNamed('x'.repeat(300)), toolNamed('plain')),
    taken: ['plain'],
    skipped: [
      { name: null, reason: 'bad_name' },
      { name: `${'x'.repeat(127)}…`, reason: 'bad_name' },
    ],
  },
  {
    title: 'case 18: twenty thousand tools',
    behaviour: () => listing(...Array.from({ length: 20_000 }, (_, at) => toolNamed(`t${at}`))),
    taken: Array.from({ length: 128 }, (_, at) => `t${at}`),
    skipped: [{ name: null, reason: 'too_many_tools' }],
  },
  oneBad('case 52: a tool that only runs as a task', { execution: { taskSupport: 'required' } }, 'task_required'),
  oneOdd('case 52: a tool that may run as a task', { execution: { taskSupport: 'optional' } }),
  oneBad('a definition over 64 KiB', { description: 'x'.repeat(65_536) }, 'definition_too_large'),
];
