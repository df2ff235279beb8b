/**
 * Every reason code that a refusal or an unavailable tool can carry, with a sentence for people and models.
 * Codes are stable: scripts and models read them.
 */
export const reasonTexts = {
  unknown_tool: 'There is no tool of this name.',
  workspace_unknown: 'The workspace was never opened. Open it with `toolledger workspace open`.',
  workspace_closed: 'The workspace is closed. Open it with `toolledger workspace open`.',
  workspace_unverified: 'Whether the workspace is open could not be checked, so nothing is allowed in it. Try again in a moment.',
  switched_off: 'The tool is switched off here. Switch it on with `toolledger tools on`.',
  switches_unverified: 'Whether the tool is switched on could not be checked. Try again in a moment.',
  registration_unverified: 'Which servers are registered could not be checked, so tools that depend on them are not used. Try again in a moment.',
  server_removed: 'The server of this tool is no longer registered.',
  server_disabled: 'The server of this tool is disabled. Enable it with `toolledger mcp enable`.',
  server_auto_disabled: 'The server of this tool failed for a day and was disabled. Enable it with `toolledger mcp enable`.',
  server_quarantined: 'The server of this tool failed and is left alone for a while. It is tried again by itself, or now with `toolledger mcp refresh`.',
  server_credential_deleted: 'The address of this server was deleted after its workspace was closed. Remove it with `toolledger mcp remove`, then add it again with `toolledger mcp add`.',
  server_tool_switched_off: 'This tool of the server is switched off. Switch it on with `toolledger mcp tool on`.',
  not_in_audience: 'The server of this tool is for certain roles, channels or one person only. See them with `toolledger mcp list`.',
  tools_unknown: 'The tools of this server were never discovered. Look with `toolledger mcp refresh`.',
  tool_not_offered: 'The server does not offer this tool any more.',
  definition_changed: 'The server changed this tool while the call was being judged. Look at it with `toolledger mcp history`, then call again.',
  definition_missing: 'The definition of this tool was never recorded. Look again with `toolledger mcp refresh`.',
  definition_held: 'The definition of this tool changed and was not accepted yet. Accept it with `toolledger mcp accept`.',
  reserved_name: 'The name belongs to a built-in tool, so the tool of this server is hidden.',
  name_collision: 'More than one enabled tool uses this name, so none of them is used. Switch it off with `toolledger mcp tool off`, or disable a server with `toolledger mcp disable`, until one is left.',
  family_conflict: 'More than one enabled server of this type is registered, so none of them is used. Disable all but one with `toolledger mcp disable`; `toolledger mcp list` shows them.',
  replaced_by_server: 'A registered server stands in for this built-in tool.',
  not_for_models: 'The server is registered for checks of the product itself; models cannot call it.',
  built_ins_unrecorded: 'Which built-in tools there were then is not on record.',
  judging_failed: 'Whether the tool may be used could not be judged, so it is not used.',
  url_too_long: 'A URL in the arguments is too long.',
  url_too_many: 'The arguments hold more URLs than one call may bring.',
  url_invalid: 'A URL in the arguments is none, or is not complete: write it like https://example.org/page.',
  url_scheme_refused: 'A URL in the arguments is neither https: nor http:.',
  url_https_required: 'A URL in the arguments is not https:.',
  url_credentials_refused: 'A URL in the arguments holds a user name or password.',
  url_address_refused: 'A URL in the arguments leads to an address that is not public.',
  url_own_listener: 'A URL in the arguments is where this program itself listens.',
  url_unresolved: 'Where a URL in the arguments leads could not be checked: its name could not be resolved.',
  invalid_arguments: 'The arguments are not what the tool takes.',
  call_id_conflict: 'This call id was used before for another tool or other arguments. Use a new call id.',
  cancelled: 'The caller gave up before the call was let through; nothing was sent.',
  server_unreachable: 'The server could not be reached; nothing was sent.',
  server_timeout: 'The server did not answer in time when connecting; nothing was sent.',
  server_unauthorized: 'The server refused the credential; nothing was sent. Set a new one with `toolledger mcp set-token`.',
  server_needs_sign_in: 'The server asks for a sign-in or a token; nothing was sent. Use `toolledger mcp sign-in` or `toolledger mcp set-token`.',
  server_needs_reauthorization: 'The account that was signed in at the server is not accepted any more, or lacks scopes; `toolledger mcp list` says which. Sign in again with `toolledger mcp sign-in`.',
  server_authorization_unreachable: 'The sign-in at the server had to be renewed and its authorization server did not answer; nothing was sent.',
  server_account_replaced: 'Another account was signed in at the server meanwhile; nothing was sent. Try again.',
  server_rate_limited: 'The server asks to wait; nothing was sent.',
  server_not_mcp: 'What answers at the address does not speak MCP.',
  server_protocol_error: 'The server broke the protocol when connecting; nothing was sent.',
  server_response_too_large: 'The server answered more than is taken when connecting.',
  server_redirect_refused: 'The server answered with a redirect, which is never followed.',
  server_blocked_address: 'The address of the server is one that may not be dialled; nothing was sent.',
  server_address_missing: 'The address of the server is not in the keys; nothing was sent. Put back the keys that hold it with `toolledger keys restore FILE`, or remove the server with `toolledger mcp remove` and add it again with `toolledger mcp add`.',
  server_tokens_missing: 'The tokens of the account at the server are not in the keys. Put back the keys that hold them with `toolledger keys restore FILE`, or sign in again with `toolledger mcp sign-in`.',
  server_needs_newer_client: 'The server speaks only a newer version of MCP than this program.',
  server_server_error: 'The server failed when connecting; nothing was sent.',
  server_cancelled: 'Connecting to the server was given up; nothing was sent.',
} as const;

export type ReasonCode = keyof typeof reasonTexts;

/** The sentence of a reason code; a code of a newer version is shown as it is. */
export function reasonText(code: string): string {
  return Object.hasOwn(reasonTexts, code) ? reasonTexts[code as ReasonCode] : `Refused: ${code}.`;
}
