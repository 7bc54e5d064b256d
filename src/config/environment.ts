/** The only file that reads environment variables. Each is checked; an invalid one is refused by name. */
import { resolve } from 'node:path';
import { HelveError } from '../domain/errors.js';
import type { JsonValue } from '../domain/json.js';
import { type LogLevel, logLevels } from '../domain/log.js';
import type { Setting } from '../domain/settings.js';
import { defined } from '../util/defined.js';
import { nearest, orDidYouMean } from '../util/nearest.js';
import { parseUrl } from '../util/parse-url.js';
import type { Variables } from './variables.js';

export interface Environment {
  readonly dataDir: string;
  /** `postgres://…`; undefined: the embedded store in the data folder. */
  readonly databaseUrl: string | undefined;
  /** Maximum number of connections to PostgreSQL of this process. */
  readonly databasePoolSize: number;
  readonly host: string;
  readonly port: number;
  /** The address at which people reach this server, if it is behind a proxy. */
  readonly publicUrl: string | undefined;
  /** Addresses and networks of proxies that are trusted to report a client's address. */
  readonly trustedProxies: readonly string[];
  /** How long a stop is announced at /ready while requests are still accepted. */
  readonly drainSeconds: number;
  /** `json`: lines of JSON; `text`: only errors, for people. */
  readonly logFormat: 'text' | 'json';
  /** Of lines of JSON. */
  readonly logLevel: LogLevel;
  readonly resultMaxChars: number;
  /** The vault's keys, if the operator provides them: the vault checks them and reveals nothing of their content. */
  readonly vaultKeys: string | undefined;
}

/** Composio's own variables. */
export const composioVariables = {
  apiKey: 'COMPOSIO_API_KEY',
  baseUrl: 'COMPOSIO_BASE_URL',
  webhookSecret: 'COMPOSIO_WEBHOOK_SECRET',
} as const;

const defaultPort = 4870;
const defaultPoolSize = 10;

interface Variable<Value> {
  readonly variable: string;
  /** Nobody is shown its value. */
  readonly secret?: true;
  /** Throws `invalid_config`, naming the variable. */
  read(variables: Variables, name: string): Value;
}

const table: { readonly [Key in keyof Environment]: Variable<Environment[Key]> } = {
  dataDir: { variable: 'HELVE_DATA', read: (variables, name) => resolve(variables[name] ?? '.helve') },
  databaseUrl: {
    variable: 'HELVE_DATABASE_URL',
    secret: true,
    read: (variables, name) => url(variables, name, ['postgres:', 'postgresql:']),
  },
  databasePoolSize: {
    variable: 'HELVE_DATABASE_POOL_SIZE',
    read: (variables, name) => whole(variables, name, { fallback: defaultPoolSize, least: 2, most: 1_000 }),
  },
  host: { variable: 'HELVE_HOST', read: (variables, name) => variables[name] ?? '127.0.0.1' },
  port: {
    variable: 'HELVE_PORT',
    read: (variables, name) => whole(variables, name, { fallback: defaultPort, least: 0, most: 65_535 }),
  },
  publicUrl: { variable: 'HELVE_PUBLIC_URL', read: (variables, name) => url(variables, name, ['http:', 'https:']) },
  trustedProxies: {
    variable: 'HELVE_TRUSTED_PROXIES',
    read: (variables, name) => (variables[name] ?? '').split(',').flatMap((entry) => entry.trim() || []),
  },
  drainSeconds: {
    variable: 'HELVE_DRAIN_SECONDS',
    read: (variables, name) => whole(variables, name, { fallback: 0, least: 0, most: 3_600 }),
  },
  logFormat: {
    variable: 'HELVE_LOG',
    read: (variables, name) => oneOf(variables, name, ['text', 'json'] as const),
  },
  logLevel: {
    variable: 'HELVE_LOG_LEVEL',
    read: (variables, name) => oneOf(variables, name, ['info', ...logLevels] as const),
  },
  resultMaxChars: {
    variable: 'TOOL_RESULT_MAX_CHARS',
    read: (variables, name) => whole(variables, name, { fallback: 10_000, least: 200, most: 10_000_000 }),
  },
  vaultKeys: { variable: 'HELVE_VAULT_KEYS', secret: true, read: (variables, name) => variables[name] || undefined },
};

const entries = Object.entries(table) as [keyof Environment, Variable<unknown>][];

const prefix = 'HELVE_';
/** The names without the prefix, which would make any two of them alike. */
const names = entries.flatMap(([, { variable }]) => (variable.startsWith(prefix) ? variable.slice(prefix.length) : []));

/** How many letters a mistyped name may differ in: `HELVE_DATABASE_USER` is a name of somebody else's, and no `HELVE_DATABASE_URL`. */
const mostMistyped = 2;

/** Other variables with the prefix may be anybody's: only one that is almost a setting is refused. */
function refuseMistyped(variables: Variables): void {
  for (const variable of Object.keys(variables)) {
    const name = variable.startsWith(prefix) && variables[variable] !== '' ? variable.slice(prefix.length) : undefined;
    const meant = name === undefined || names.includes(name) ? undefined : nearest(name, names, mostMistyped);
    if (meant !== undefined)
      throw new HelveError('invalid_config', `${variable}: there is no such setting${orDidYouMean(prefix + meant)}`, {
        hint: 'Correct the name of the variable, or unset it.',
      });
  }
}

/** Reads all variables. Throws `invalid_config`, naming the variable, also for one whose name is mistyped. */
export function readEnvironment(variables: Variables = process.env): Environment {
  refuseMistyped(variables);
  const read = entries.map(([key, { variable, read: readOne }]) => [key, readOne(variables, variable)]);
  return Object.fromEntries(read) as unknown as Environment;
}

/** What the command line said instead of the environment, and with which option. */
export type GivenOptions = {
  readonly [Key in keyof Environment]?: { readonly value: Environment[Key]; readonly option: string };
};

/** The settings of this process, as `readEnvironment` reads them, each with where it is from. */
export function listEnvironment(given: GivenOptions = {}, variables: Variables = process.env): readonly Setting[] {
  const environment = readEnvironment(variables);
  return entries.map(([key, { variable, secret }]) => {
    const option = given[key];
    const value = option === undefined ? environment[key] : option.value;
    const isSet = (variables[variable] ?? '') !== '';
    return {
      key: variable,
      isSet: value !== undefined,
      ...(secret ? { secret } : defined({ value: value as JsonValue | undefined })),
      source: option
        ? { kind: 'option', option: option.option }
        : isSet
          ? { kind: 'environment', variable }
          : { kind: 'default' },
    };
  });
}

/** The first one is the default. */
function oneOf<Word extends string>(variables: Variables, name: string, words: readonly [Word, ...Word[]]): Word {
  const text = variables[name];
  if (text === undefined || text === '') return words[0];
  const found = words.find((word) => word === text);
  if (found !== undefined) return found;
  const list = [...new Set(words)].join(', ');
  throw new HelveError('invalid_config', `${name} is ${JSON.stringify(text)}; it must be one of ${list}`);
}

function whole(
  variables: Variables,
  name: string,
  { fallback, least, most }: { readonly fallback: number; readonly least: number; readonly most: number },
): number {
  const text = variables[name];
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new HelveError(
    'invalid_config',
    `${name} is ${JSON.stringify(text)}; it must be a whole number from ${least} to ${most}`,
  );
}

function url(variables: Variables, name: string, protocols: readonly string[]): string | undefined {
  const text = variables[name];
  if (text === undefined || text === '') return undefined;
  // The value may contain a password, so the message does not repeat it.
  if (!protocols.includes(parseUrl(text)?.protocol ?? '')) {
    throw new HelveError('invalid_config', `${name} is not a ${protocols.join(' or ')} URL`);
  }
  return text;
}

/**
 * Composio's own variables, used for settings that `helve.yaml` omits. Throws `invalid_config`, naming the variable.
 */
export function composioEnvironment() {
  const variables: Variables = process.env;
  return {
    apiKey: variables[composioVariables.apiKey] || undefined,
    baseUrl: url(variables, composioVariables.baseUrl, ['http:', 'https:']),
    webhookSecret: variables[composioVariables.webhookSecret] || undefined,
  };
}

/** Whether the standard variables of OpenTelemetry ask for traces. Its SDK reads the rest of them by itself. */
export function wantsTraces(variables: Variables): boolean {
  if (variables.OTEL_SDK_DISABLED === 'true' || variables.OTEL_TRACES_EXPORTER === 'none') return false;
  return Boolean(variables.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || variables.OTEL_EXPORTER_OTLP_ENDPOINT);
}

/** The variables that `${NAME}` in `helve.yaml` may refer to. */
export function environmentVariables(): Variables {
  return process.env;
}

/** The files from which Node was told to read variables. */
export function environmentFiles(
  words: readonly string[] = [...process.execArgv, ...(process.env.NODE_OPTIONS ?? '').split(/\s+/)],
): string[] {
  return words.flatMap((word, at) => {
    const [, inline] = /^--env-file(?:-if-exists)?=(.+)$/.exec(word) ?? [];
    const path = inline ?? (/^--env-file(?:-if-exists)?$/.test(word) ? words[at + 1] : undefined);
    return path === undefined ? [] : [path];
  });
}
