import { z } from 'zod';
import { Fault } from './fault.js';
import { quoteGiven } from './text/given.js';
import { logLevels, type LogLevel } from './log.js';
import { parseVkey } from './tlog/noteKey.js';

/** All settings of the product, after reading and checking. */
export interface Config {
  /** As given; may be relative to the working directory. */
  readonly dataDirectory: string;
  /** Port on 127.0.0.1; 0 takes any free one. */
  readonly port: number;
  /** Port on 127.0.0.1 for the pages of sign-ins alone; null: they are on the other one. */
  readonly oauthPort: number | null;
  /** Origin at which browsers and authorization servers elsewhere reach those pages, https; null: nobody elsewhere does. */
  readonly publicUrl: string | null;
  readonly logLevel: LogLevel;
  /** Longest run of one tool call, milliseconds. */
  readonly toolTimeoutMs: number;
  readonly mcpConnectTimeoutMs: number;
  readonly mcpCallTimeoutMs: number;
  /** An MCP connection nobody used for so long is closed, milliseconds. */
  readonly mcpIdleMs: number;
  /** How long an MCP server is left alone after the first failure of a streak, milliseconds. */
  readonly mcpFailureCooldownMs: number;
  /** Origins of MCP servers that may lie on this machine or in a private network, whatever the workspace. */
  readonly mcpAllowedLocalOrigins: ReadonlySet<string>;
  /** MCP servers one workspace may register, enabled or not. */
  readonly maxMcpServers: number;
  /** What happens when a tool's definition changes: a warning, or the tool is held until somebody accepts it. */
  readonly definitionPolicy: 'warn' | 'hold';
  /** Whether the text of calls can be searched. */
  readonly callTextIndex: boolean;
  /** The ledger's head is signed when so many events were added, */
  readonly sealEveryEvents: number;
  /** or when so many milliseconds have passed since something was. */
  readonly sealEveryMs: number;
  /** File that every checkpoint is added to, best on another volume; null means one in the data directory. */
  readonly checkpointLog: string | null;
  /** Who else signs checkpoints. */
  readonly sealWitnesses: readonly WitnessAddress[];
  /** How long payloads may be kept, milliseconds by kind of stream; null: for ever. */
  readonly retention: { readonly toolCall: number | null; readonly toolRefusals: number | null };
  /** Base64 of 32 bytes; null means a file in the data directory holds it. Never show it. */
  readonly masterKey: string | null;
}

/** A witness (C2SP tlog-witness) as it is named in the settings. */
export interface WitnessAddress {
  /** Prefix of its submission URL. */
  readonly url: string;
  readonly vkey: string;
}

const secretSettings: ReadonlySet<string> = new Set(['TOOLLEDGER_MASTER_KEY']);

const schema = z.object({
  TOOLLEDGER_DATA: text(1_000).default('./data'),
  TOOLLEDGER_PORT: whole(0, 65_535, 'port; 0 takes any free one').default(7_411),
  TOOLLEDGER_OAUTH_PORT: whole(0, 65_535, 'port; 0 takes any free one; unset: that of TOOLLEDGER_PORT').optional(),
  TOOLLEDGER_PUBLIC_URL: publicUrl().optional(),
  LOG_LEVEL: oneOf(logLevels).default('info'),
  TOOL_EXECUTION_TIMEOUT_MS: whole(10_000, 86_400_000, 'milliseconds').default(300_000),
  GUILD_MCP_CONNECT_TIMEOUT_MS: whole(100, 600_000, 'milliseconds').default(15_000),
  GUILD_MCP_EXECUTION_TIMEOUT_MS: whole(100, 3_600_000, 'milliseconds').default(30_000),
  GUILD_MCP_CONNECTION_TTL_MINUTES: whole(1, 1_440, 'minutes').default(10),
  GUILD_MCP_FAILURE_COOLDOWN_MS: whole(1_000, 86_400_000, 'milliseconds').default(300_000),
  MCP_ALLOWED_LOCAL_ORIGINS: origins().default(new Set()),
  MAX_MCP_SERVERS_PER_GUILD: whole(1, 100, 'servers').default(10),
  MCP_DEFINITION_POLICY: oneOf(['warn', 'hold']).default('warn'),
  CALL_TEXT_INDEX: oneOf(['on', 'off']).default('on'),
  SEAL_EVERY_EVENTS: whole(1, 1_000_000, 'events').default(1_000),
  SEAL_EVERY_SECONDS: whole(1, 86_400, 'seconds').default(60),
  CHECKPOINT_LOG: text(1_000).optional(),
  SEAL_WITNESSES: witnesses().default([]),
  RETENTION_TOOL_CALLS_DAYS: whole(0, 36_500, 'days; unset: for ever').optional(),
  RETENTION_REFUSAL_COUNTS_DAYS: whole(0, 36_500, 'days; unset: for ever').optional(),
  TOOLLEDGER_MASTER_KEY: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=$/, 'base64 of 32 bytes (44 characters), e.g. the output of `openssl rand -base64 32`')
    .optional(),
}).superRefine(({ TOOLLEDGER_PORT: port, TOOLLEDGER_OAUTH_PORT: oauthPort }, context) => {
  if (oauthPort !== port || port === 0) return;
  context.addIssue({ code: 'custom', path: ['TOOLLEDGER_OAUTH_PORT'], message: `another port than that of TOOLLEDGER_PORT, which is ${port}; unset: that one, for both` });
});

/** Names of all environment variables that are read. */
export const settingNames: readonly string[] = Object.keys(schema.shape);

type Environment = { readonly [name: string]: string | undefined };

/**
 * Reads the settings. A variable that is absent or blank takes its default; other variables are ignored.
 * @param env normally `process.env`
 * @throws Fault usage `invalid_setting` naming every bad variable, what was given and what is allowed; a secret is never shown
 */
export function readConfig(env: Environment): Config {
  const { config, problem } = examineConfig(env);
  if (problem !== null) throw problem;
  return config;
}

/**
 * Reads the settings for whoever goes on with some of them wrong: those take their defaults.
 * @returns also the fault that `readConfig` would throw
 */
export function examineConfig(env: Environment): { readonly config: Config; readonly problem: Fault | null } {
  const given = Object.fromEntries(settingNames.flatMap((name) => (env[name]?.trim() ? [[name, env[name].trim()]] : [])));
  const { data, error } = schema.safeParse(given);
  if (!error) return { config: configOf(data), problem: null };
  const bad = error.issues.map(({ path, message }) => badSetting(String(path[0]), given, message));
  const right = Object.entries(given).filter(([name]) => !bad.some((setting) => setting.name === name));
  return { config: configOf(schema.parse(Object.fromEntries(right))), problem: badSettings(bad) };
}

function configOf(data: z.output<typeof schema>): Config {
  return {
    dataDirectory: data.TOOLLEDGER_DATA,
    port: data.TOOLLEDGER_PORT,
    oauthPort: data.TOOLLEDGER_OAUTH_PORT ?? null,
    publicUrl: data.TOOLLEDGER_PUBLIC_URL ?? null,
    logLevel: data.LOG_LEVEL,
    toolTimeoutMs: data.TOOL_EXECUTION_TIMEOUT_MS,
    mcpConnectTimeoutMs: data.GUILD_MCP_CONNECT_TIMEOUT_MS,
    mcpCallTimeoutMs: data.GUILD_MCP_EXECUTION_TIMEOUT_MS,
    mcpIdleMs: data.GUILD_MCP_CONNECTION_TTL_MINUTES * 60_000,
    mcpFailureCooldownMs: data.GUILD_MCP_FAILURE_COOLDOWN_MS,
    mcpAllowedLocalOrigins: data.MCP_ALLOWED_LOCAL_ORIGINS,
    maxMcpServers: data.MAX_MCP_SERVERS_PER_GUILD,
    definitionPolicy: data.MCP_DEFINITION_POLICY,
    callTextIndex: data.CALL_TEXT_INDEX === 'on',
    sealEveryEvents: data.SEAL_EVERY_EVENTS,
    sealEveryMs: data.SEAL_EVERY_SECONDS * 1_000,
    checkpointLog: data.CHECKPOINT_LOG ?? null,
    sealWitnesses: data.SEAL_WITNESSES,
    retention: { toolCall: daysMs(data.RETENTION_TOOL_CALLS_DAYS), toolRefusals: daysMs(data.RETENTION_REFUSAL_COUNTS_DAYS) },
    masterKey: data.TOOLLEDGER_MASTER_KEY ?? null,
  };
}

function daysMs(days: number | undefined): number | null {
  return days === undefined ? null : days * 86_400_000;
}

interface BadSetting {
  readonly name: string;
  readonly given: string;
  readonly allowed: string;
}

function badSetting(name: string, given: { readonly [name: string]: string }, allowed: string): BadSetting {
  return { name, given: secretSettings.has(name) ? 'a value that is not shown' : quoteGiven(given[name] ?? ''), allowed };
}

function badSettings(bad: readonly BadSetting[]): Fault {
  const sentences = bad.map(({ name, given, allowed }) => `${name} was given ${given}; allowed: ${allowed}.`);
  const settings = bad.map(({ name, given, allowed }) => ({ name, given, allowed }));
  return new Fault('usage', 'invalid_setting', `${sentences.join(' ')} Change or unset it and start again; .env.example lists all settings.`, { settings });
}

function text(most: number) {
  const allowed = `text of at most ${most} characters without control characters`;
  return z.string().refine((value) => value.length <= most && !/\p{Cc}/u.test(value), allowed);
}

function whole(least: number, most: number, unit: string) {
  const allowed = `a whole number from ${least} to ${most} (${unit})`;
  return z
    .string()
    .refine((value) => /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most, allowed)
    .transform(Number);
}

function oneOf<const Word extends string>(words: readonly Word[]) {
  return z.enum(words, `one of ${words.join(', ')}`);
}

function witnesses() {
  const allowed = 'witnesses divided by commas, each an http or https URL, a space and its public key (name+id+base64)';
  const pairs = (value: string): string[][] => value.split(',').map((one) => one.trim().split(/\s+/));
  const isWitness = ([url, vkey, ...rest]: string[]): boolean =>
    url !== undefined && vkey !== undefined && rest.length === 0 && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) && isVkey(vkey);
  return z
    .string()
    .refine((value) => pairs(value).every(isWitness), allowed)
    .transform((value): WitnessAddress[] => pairs(value).map(([url = '', vkey = '']) => ({ url, vkey })));
}

function origins() {
  const allowed = 'origins divided by commas, each a scheme (http or https), a host and, when it is not the usual one, a port, e.g. http://10.0.0.5:3001';
  const each = (value: string): string[] => value.split(',').map((one) => one.trim());
  const isOrigin = (one: string): boolean => /^https?:\/\/[^/?#@\s]+\/?$/i.test(one) && URL.canParse(one) && !new URL(one).hostname.endsWith('.');
  return z
    .string()
    .refine((value) => each(value).every(isOrigin), allowed)
    .transform((value): ReadonlySet<string> => new Set(each(value).map((one) => new URL(one).origin)));
}

function publicUrl() {
  const allowed = 'an https origin without path, e.g. https://bot.example.org';
  const isOne = (value: string): boolean => /^https:\/\/[^/?#@\s]+\/?$/i.test(value) && URL.canParse(value);
  return z
    .string()
    .refine(isOne, allowed)
    .transform((value) => new URL(value).origin);
}

function isVkey(text: string): boolean {
  try {
    return parseVkey(text).vkey === text;
  } catch {
    return false;
  }
}
