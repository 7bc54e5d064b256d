/**
 * What a store must contain after a synchronisation, computed from the source's own items and not by the code under test;
 * and what it does contain, by plain SQL.
 */
import Database from 'libsql';
import pg from 'pg';
import { seal } from '../../src/audit/index.js';
import type { Storage } from '../../src/domain/storage.js';
import { openStorage } from '../../src/storage/index.js';
import { canonicalJson } from '../../src/util/canonical.js';
import { sha256 } from '../../src/util/hash.js';
import type { ComposioData } from '../counterparts/composio/index.js';

export type Row = Readonly<Record<string, unknown>>;
export type Tables = Readonly<Record<'apps' | 'actions' | 'triggers', readonly Row[]>>;

const text = (value: unknown): string => JSON.stringify(value);

/** Rows as they are in the tables, by slug; `position` is the position in the listing. */
export function expectedRows({ toolkits, tools, triggers }: ComposioData): Tables {
  const bySlug = (rows: Row[]): Row[] => rows.sort((a, b) => (String(a.slug) < String(b.slug) ? -1 : 1));
  return {
    apps: bySlug(
      toolkits.map(({ meta, ...toolkit }, position) => ({
        slug: toolkit.slug,
        position,
        name: toolkit.name.trim(),
        description: meta.description,
        logo: meta.logo || null,
        url: meta.app_url || null,
        version: meta.version,
        updated_at: meta.updated_at,
        categories: text(meta.categories.flatMap(({ name }) => name || [])),
        auth_schemes: text(toolkit.auth_schemes),
        managed_auth_schemes: text(toolkit.composio_managed_auth_schemes),
        no_auth: toolkit.no_auth ? 1 : 0,
        deprecated: 0,
        action_count: meta.tools_count,
        trigger_count: meta.triggers_count,
        hash: sha256(canonicalJson({ ...toolkit, meta })),
      })),
    ),
    actions: bySlug(
      tools.map((tool) => ({
        slug: tool.slug,
        app: tool.toolkit.slug,
        title: tool.name,
        description: tool.description,
        tags: text(tool.tags),
        scopes: text(tool.scopes),
        version: tool.version,
        deprecated: tool.is_deprecated ? 1 : 0,
        no_auth: tool.no_auth ? 1 : 0,
        input_parameters: text(tool.input_parameters),
        output_parameters: text(tool.output_parameters),
      })),
    ),
    triggers: bySlug(
      triggers.map((trigger) => ({
        slug: trigger.slug,
        app: trigger.toolkit.slug,
        name: trigger.name,
        description: trigger.description,
        instructions: trigger.instructions || null,
        type: trigger.type,
        config: text(trigger.config),
        payload: text(trigger.payload),
      })),
    ),
  };
}

export const isPostgres = (location: string): boolean => location.startsWith('postgres');

/** One query on a separate connection, bypassing Helve's store. */
export async function query(location: string, statement: string): Promise<Row[]> {
  if (!isPostgres(location)) {
    const database = new Database(location, { timeout: 5_000 });
    try {
      const prepared = database.prepare(statement);
      if (prepared.reader) return prepared.all() as Row[];
      prepared.run();
      return [];
    } finally {
      database.close();
    }
  }
  const client = new pg.Client({ connectionString: location });
  await client.connect();
  try {
    return (await client.query(statement)).rows as Row[];
  } finally {
    await client.end();
  }
}

const columns = {
  apps: `slug, position, name, description, logo, url, categories, auth_schemes, managed_auth_schemes, no_auth, deprecated,
    version, updated_at, action_count, trigger_count, hash`,
  actions: `slug, app, title, description, tags, scopes, version, deprecated, no_auth, input_parameters,
    output_parameters`,
  triggers: 'slug, app, name, description, instructions, type, config, payload',
} as const;

export async function rowsBySql(location: string, source = 'composio'): Promise<Tables> {
  const read = (table: keyof Tables): Promise<Row[]> =>
    query(location, `select ${columns[table]} from catalogue_${table} where source = '${source}' order by slug`);
  return { apps: await read('apps'), actions: await read('actions'), triggers: await read('triggers') };
}

/** The same through the port of the store, as readers of the catalogue see it. */
export async function rowsByPort(storage: Storage): Promise<Tables> {
  const all = await storage.catalogue.apps();
  const apps = all.filter(({ source }) => source === 'composio');
  const actions: Row[] = [];
  const triggers: Row[] = [];
  for (const { slug } of apps) {
    for (const { inputParameters, outputParameters, noAuth, ...action } of await storage.catalogue.actions(
      'composio',
      slug,
    ))
      actions.push({
        slug: action.slug,
        app: action.app,
        title: action.title,
        description: action.description,
        tags: text(action.tags),
        scopes: text(action.scopes),
        version: action.version ?? null,
        deprecated: action.deprecated ? 1 : 0,
        no_auth: noAuth ? 1 : 0,
        input_parameters: text(inputParameters),
        output_parameters: text(outputParameters),
      });
    for (const { instructions, config, payload, ...rest } of await storage.catalogue.triggers('composio', slug))
      triggers.push({ ...rest, instructions: instructions ?? null, config: text(config), payload: text(payload) });
  }
  const bySlug = (rows: Row[]): Row[] => rows.sort((a, b) => (String(a.slug) < String(b.slug) ? -1 : 1));
  return {
    apps: bySlug(
      apps.map(({ source: _, ...app }, position) => ({
        slug: app.slug,
        position,
        name: app.name,
        description: app.description,
        logo: app.logo ?? null,
        url: app.url ?? null,
        categories: text(app.categories),
        auth_schemes: text(app.authSchemes),
        managed_auth_schemes: text(app.managedAuthSchemes),
        no_auth: app.noAuth ? 1 : 0,
        deprecated: app.deprecated ? 1 : 0,
        version: app.version ?? null,
        updated_at: app.updatedAt ?? null,
        action_count: app.actionCount,
        trigger_count: app.triggerCount,
        hash: app.hash,
      })),
    ),
    actions: bySlug(actions),
    triggers: bySlug(triggers),
  };
}

/** The differences, short enough to read: a diff of thousands of rows is not. */
export function difference(kept: Tables, wanted: Tables): string[] {
  const found: string[] = [];
  for (const table of ['apps', 'actions', 'triggers'] as const) {
    const there = new Map(kept[table].map((row) => [row.slug, row]));
    if (there.size !== kept[table].length) found.push(`${table}: a slug stands twice`);
    for (const row of wanted[table]) {
      const one = there.get(row.slug);
      there.delete(row.slug);
      if (!one) found.push(`${table} ${row.slug}: is missing`);
      else
        for (const column of new Set([...Object.keys(row), ...Object.keys(one)]))
          if (one[column] !== row[column])
            found.push(
              `${table} ${row.slug} ${column}: ${text(one[column])?.slice(0, 80)} for ${text(row[column])?.slice(0, 80)}`,
            );
    }
    for (const slug of there.keys()) found.push(`${table} ${slug}: is too many`);
  }
  return found;
}

export const open = (location: string): Promise<Storage> => openStorage({ location, seal });

export interface WriteCount {
  /** Row writes of the catalogue's tables since the last count. */
  since(): Promise<Readonly<Record<string, number>>>;
}

const counted = ['catalogue_sources', 'catalogue_apps', 'catalogue_actions', 'catalogue_triggers'];

/** Counts every written row, from any writer, by triggers of the test's own in both SQLite and PostgreSQL. */
export async function countWrites(location: string): Promise<WriteCount> {
  const postgres = isPostgres(location);
  await query(location, 'create table test_writes (name text not null)');
  if (postgres)
    await query(
      location,
      `create function test_write() returns trigger language plpgsql as
        $$ begin insert into test_writes values (TG_TABLE_NAME || ' ' || lower(TG_OP)); return null; end $$`,
    );
  for (const table of counted)
    for (const act of ['insert', 'update', 'delete'])
      await query(
        location,
        postgres
          ? `create trigger ${table}_${act} after ${act} on ${table} for each row execute function test_write()`
          : `create trigger ${table}_${act} after ${act} on ${table} begin insert into test_writes values ('${table} ${act}'); end`,
      );
  return {
    async since() {
      const rows = await query(location, 'select name, count(*) as n from test_writes group by name order by name');
      await query(location, 'delete from test_writes');
      return Object.fromEntries(rows.map(({ name, n }) => [String(name), Number(n)]));
    },
  };
}
