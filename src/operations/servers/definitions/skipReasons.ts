/** Why a tool of a server was left out, for people; codes of a newer listing are shown as they are. */
const sentences: { readonly [code: string]: string } = {
  bad_tool: 'it is not a tool definition',
  bad_name: 'its name cannot be used',
  bad_description: 'its description is not text',
  bad_input_schema: 'its input schema is not an object schema',
  bad_output_schema: 'its output schema is not an object',
  bad_annotations: 'its annotations are not an object',
  schema_dialect: 'its schema is in a dialect other than draft-07 and 2020-12',
  schema_invalid: 'its schema is no valid JSON Schema',
  schema_dangling_ref: 'its schema refers to a part that is not there',
  schema_bad_pattern: 'its schema holds a pattern that is no regular expression',
  schema_too_complex: 'its schema takes too long to compile',
  schema_remote_ref: 'its schema refers to another address, which is never fetched',
  definition_too_deep: 'its definition is nested too deeply',
  definition_too_large: 'its definition is over 64 KiB',
  definition_not_json: 'its definition cannot be written as JSON',
  definition_hidden_keys: 'keys of its schema hold hidden characters or secrets',
  task_required: 'it only runs as an MCP task, which is not supported',
  duplicate_name: 'the server lists the name more than once',
  too_many_tools: 'the server lists more tools than are taken',
  too_many_skipped: 'more tools were left out than are named here',
  too_many_pages: 'the list goes on for more pages than are read',
  list_repeats: 'the list repeats itself without end',
};

export function skipReason(code: string): string {
  return Object.hasOwn(sentences, code) ? (sentences[code] ?? code) : code;
}
