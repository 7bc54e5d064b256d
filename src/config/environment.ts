/** The only file that reads environment variables. Each is checked; an invalid one is refused by name. */
import { resolve } from 'node:path';
import { HelveError } from '../domain/errors.js';
import { parseUrl } from '../util/parse-url.js';

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
  readonly resultMaxChars: number;
  /** The vault's keys, if the operator provides them: the vault checks them and reveals nothing of their content. */
  readonly vaultKeys: string | undefined;
}

const defaultPort = 4870;
const defaultPoolSize = 10;

/** Reads all variables. Throws `invalid_config`, naming the variable. */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>> = process.env): Environment {
  return {
    dataDir: resolve(variables.HELVE_DATA ?? '.helve'),
    databaseUrl: url(variables, 'HELVE_DATABASE_URL', ['postgres:', 'postgresql:']),
    databasePoolSize: whole(variables, 'HELVE_DATABASE_POOL_SIZE', defaultPoolSize, 2, 1_000),
    host: variables.HELVE_HOST ?? '127.0.0.1',
    port: whole(variables, 'HELVE_PORT', defaultPort, 0, 65_535),
    publicUrl: url(variables, 'HELVE_PUBLIC_URL', ['http:', 'https:']),
    trustedProxies: (variables.HELVE_TRUSTED_PROXIES ?? '').split(',').flatMap((entry) => entry.trim() || []),
    resultMaxChars: whole(variables, 'TOOL_RESULT_MAX_CHARS', 10_000, 200, 10_000_000),
    vaultKeys: variables.HELVE_VAULT_KEYS || undefined,
  };
}

function whole(
  variables: Readonly<Record<string, string | undefined>>,
  name: string,
  fallback: number,
  least: number,
  most: number,
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

function url(
  variables: Readonly<Record<string, string | undefined>>,
  name: string,
  protocols: readonly string[],
): string | undefined {
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
export function composioEnvironment(variables: Readonly<Record<string, string | undefined>> = process.env) {
  return {
    apiKey: variables.COMPOSIO_API_KEY || undefined,
    baseUrl: url(variables, 'COMPOSIO_BASE_URL', ['http:', 'https:']),
    webhookSecret: variables.COMPOSIO_WEBHOOK_SECRET || undefined,
  };
}

/** The variables that `${NAME}` in `helve.yaml` may refer to. */
export function environmentVariables(): Readonly<Record<string, string | undefined>> {
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
