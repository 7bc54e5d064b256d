/** The setting `toolkits.database` in `helve.yaml`, and the part of an agent's grant that concerns it. */
import { z } from 'zod';
import { HelveError } from '../../domain/errors.js';
import type { Endpoint } from '../../domain/reach.js';

const connection = z.strictObject({
  /** `postgres://user:password@host/database?sslmode=require` or `sqlite:/path/to/file.db` */
  url: z.string().regex(/^(?:postgres(?:ql)?:\/\/|sqlite:)/, 'begin with postgres:// or sqlite:'),
  description: z.string().optional(),
  /** Whether an agent whose grant says `allow_writes` may change it. */
  writable: z.boolean().default(false),
  /**
   * Superusers are refused unless this is set, because they can read files of the database's machine even in a
   * read-only transaction.
   */
  superuser: z.boolean().default(false),
});

export const databaseSettings = z.strictObject({ connections: z.record(z.string(), connection).default({}) });

export const databaseConfig = z.strictObject({
  allowed_connections: z.array(z.string()).default([]).describe('Names from toolkits.database.connections'),
  allow_writes: z.boolean().default(false),
  max_rows: z.int().min(1).max(100_000).default(1_000),
  max_bytes: z.int().min(1_000).max(52_428_800).default(1_048_576),
  timeout_seconds: z.number().positive().max(300).default(30),
});

export type DatabaseSettings = z.infer<typeof databaseSettings>;
export type DatabaseConfig = z.infer<typeof databaseConfig>;

/** One database as a call may use it. */
export interface Target {
  readonly name: string;
  readonly kind: 'postgres' | 'sqlite';
  readonly url: string;
  readonly writes: boolean;
  readonly superuser: boolean;
}

/** Throws `forbidden` for a name that the grant does not list, whether or not such a database exists. */
export function getTarget(name: string, settings: DatabaseSettings, config: DatabaseConfig): Target {
  const found = config.allowed_connections.includes(name) ? own(settings.connections, name) : undefined;
  if (!found) {
    const allowed = config.allowed_connections.filter((known) => own(settings.connections, known));
    throw new HelveError('forbidden', `No database ${JSON.stringify(name)} is available to you`, {
      hint:
        allowed.length > 0
          ? `Use one of: ${allowed.join(', ')}.`
          : 'Tell the operator to list one in toolkits.database.connections and in your tool_config allowed_connections.',
    });
  }
  const kind = found.url.startsWith('sqlite:') ? 'sqlite' : 'postgres';
  const { url, superuser } = found;
  return { name, kind, url, superuser, writes: found.writable && config.allow_writes };
}

function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Returns every PostgreSQL of the settings that the grant lists. */
export function databaseEndpoints(settings: DatabaseSettings, config: DatabaseConfig): Endpoint[] {
  return config.allowed_connections.flatMap((name) => {
    const url = own(settings.connections, name)?.url;
    return url === undefined || url.startsWith('sqlite:') ? [] : [getEndpoint(url)];
  });
}

export function getEndpoint(url: string): Endpoint {
  const { hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 5_432) };
}
