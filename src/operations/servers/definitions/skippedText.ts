/** Why a tool of a server was left out, for people; codes of a newer listing are shown as they are. */
const reasons: { readonly [code: string]: string } = {
  bad_tool: 'it is not a tool definition',
  bad_name: 'its name cannot be used',
  bad_description: 'its description is not text',
  bad_input_schema: 'its input schema is not an object schema',
  bad_output_schema: 'its output schema is not an object',
  bad_annotations: 'its annotations are not an object',
  schema_dialect: 'its schema is in a dialect other than draft-07 and 2020-12',
  schema_invalid: 'its schema is no valid JSON Schema',
  schema_dangling_ref: 'its schema takes in a part of itself (`$ref`) that is not there',
  schema_bad_pattern: 'its schema holds a pattern that is no regular expression',
  schema_too_complex: 'its schema takes too long to compile',
  schema_remote_ref: 'its schema takes in a part from elsewhere (`$ref`), and nothing is ever fetched for a schema',
  definition_too_deep: 'its definition is nested too deeply',
  definition_too_large: 'its definition is over 64 KiB',
  definition_not_json: 'its definition cannot be written as JSON',
  definition_hidden_keys: 'keys of its schema hold hidden characters or secrets',
  task_required: 'it only runs as an MCP task, which is not supported',
  duplicate_name: 'the server lists the name more than once',
};

/** Why a listing ends before the server says so, or does not name all that was left out: sentences about no single tool. */
const endings: { readonly [code: string]: string } = {
  too_many_tools: 'The server lists more tools than are taken (128); those beyond are left out.',
  too_many_skipped: 'More tools were left out than are named here.',
  too_many_pages: 'The server lists its tools on more pages than are read (50); what is on those beyond is left out.',
  list_repeats: 'The list of the server goes in a circle: a page, or what leads to the next one, came a second time. Reading stopped there; what else it may list is left out.',
};

/** What was left out of a listing and why, in a sentence. @param name null when the tool has none that can be shown */
export function skippedText({ name, reason }: { readonly name: string | null; readonly reason: string }): string {
  return known(endings, reason) ?? `Left out: ${name ?? 'a tool without a usable name'}: ${known(reasons, reason) ?? reason}.`;
}

function known(texts: { readonly [code: string]: string }, code: string): string | undefined {
  return Object.hasOwn(texts, code) ? texts[code] : undefined;
}
