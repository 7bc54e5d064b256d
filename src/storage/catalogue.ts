/**
 * The catalogue's tables. Only the job that holds the source writes them, in bulk, each page in one commit with the
 * job's progress; readers see what was published.
 */
import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { CatalogueSourceName, CatalogueStorage, CatalogueTables, UnseenRows } from '../domain/catalogue.js';
import { actionTable, appTable, type BulkTable, toAction, toApp, toTrigger, triggerTable } from './catalogue-rows.js';
import type { DatabaseKind, Engine, Parameter } from './engine.js';
import type { Schema } from './schema.js';
import { createSyncJobs } from './sync-jobs.js';

type CatalogueTable = 'catalogue_apps' | 'catalogue_actions' | 'catalogue_triggers';

const rowsPerStatement = 100;
/** Maximum number of slugs in one statement. */
const maxNames = 500;

export function createCatalogue(engine: Engine): CatalogueStorage {
  const { db } = engine;
  return {
    async revision() {
      const row = await db
        .selectFrom('catalogue_sources')
        .select((is) => is.fn.sum<number | string | null>('revision').as('revision'))
        .executeTakeFirst();
      return Number(row?.revision ?? 0);
    },
    async states() {
      const rows = await db.selectFrom('catalogue_sources').selectAll().orderBy('source').execute();
      // A synchronisation that found nothing new wrote only its own row, which has the times.
      const ended = await db
        .selectFrom('sync_jobs')
        .select((is) => ['source', 'kind', is.fn.max('finished_at').as('at')])
        .where('status', '=', 'done')
        .where('kind', '!=', 'parameters')
        .groupBy(['source', 'kind'])
        .execute();
      return rows.map(({ source, apps, actions, triggers, without_parameters }) => {
        const times = ended.filter((end) => end.source === source);
        const fullAt = times.find(({ kind }) => kind === 'full')?.at;
        const syncedAt = times
          .flatMap(({ at }) => at ?? [])
          .sort()
          .at(-1);
        return {
          source,
          apps,
          actions,
          triggers,
          withoutParameters: without_parameters,
          ...(fullAt ? { fullAt } : {}),
          ...(syncedAt ? { syncedAt } : {}),
        };
      });
    },
    async apps() {
      const rows = await db.selectFrom('catalogue_apps').selectAll().orderBy('source').orderBy('position').execute();
      return rows.map(toApp);
    },
    async actions(source, app) {
      const rows = db.selectFrom('catalogue_actions').selectAll().where('source', '=', source).where('app', '=', app);
      return (await rows.execute()).sort(bySlug).map(toAction);
    },
    async triggers(source, app) {
      const rows = db.selectFrom('catalogue_triggers').selectAll().where('source', '=', source).where('app', '=', app);
      return (await rows.execute()).sort(bySlug).map(toTrigger);
    },
    actionOwners: (source) =>
      db.selectFrom('catalogue_actions').select(['slug', 'app']).where('source', '=', source).execute(),
    count: (source) => countRows(db, source),
    unseen: (source, jobId) => findUnseen(db, source, jobId),
    lacking: (source) => lacking(db, source),
    jobs: createSyncJobs(db, (transaction, job) => createTables(transaction, engine.kind, job)),
  };
}

async function countRows(db: Kysely<Schema>, source: CatalogueSourceName) {
  const getRows = async (table: CatalogueTable): Promise<number> => {
    const query = db.selectFrom(table).select((is) => is.fn.countAll<number | string>().as('rows'));
    return Number((await query.where('source', '=', source).executeTakeFirstOrThrow()).rows);
  };
  return {
    apps: await getRows('catalogue_apps'),
    actions: await getRows('catalogue_actions'),
    triggers: await getRows('catalogue_triggers'),
  };
}

async function findUnseen(db: Kysely<Schema>, source: CatalogueSourceName, jobId: string): Promise<UnseenRows> {
  const ownersIn = async (table: 'catalogue_actions' | 'catalogue_triggers'): Promise<string[]> => {
    const query = db.selectFrom(table).select('app').distinct().where('source', '=', source);
    return (await query.where('job', '!=', jobId).orderBy('app').execute()).map(({ app }) => app);
  };
  const apps = db.selectFrom('catalogue_apps').select('slug').where('source', '=', source);
  return {
    apps: (await apps.where('job', '!=', jobId).orderBy('slug').execute()).map(({ slug }) => slug),
    actions: await ownersIn('catalogue_actions'),
    triggers: await ownersIn('catalogue_triggers'),
  };
}

/**
 * Sorted here and not in the query: SQLite would rather scan all rows of a source in order than sort those of one app.
 */
function bySlug(left: { readonly slug: string }, right: { readonly slug: string }): number {
  return left.slug < right.slug ? -1 : left.slug > right.slug ? 1 : 0;
}

async function lacking(db: Kysely<Schema>, source: CatalogueSourceName) {
  const unknown = sql<number>`sum(case when input_parameters is null then 1 else 0 end)`;
  const empty = sql<number>`sum(case when input_parameters = '{}' then 1 else 0 end)`;
  const counted = db
    .selectFrom('catalogue_actions')
    .select(['app', unknown.as('unknown'), empty.as('empty')])
    .where('source', '=', source)
    .where((is) => is.or([is('input_parameters', 'is', null), is('input_parameters', '=', '{}')]))
    .groupBy('app')
    .as('counted');
  const rows = await db
    .selectFrom('catalogue_apps as apps')
    .leftJoin(counted, 'counted.app', 'apps.slug')
    .select(['apps.slug', 'apps.hash', 'apps.backfilled', 'counted.unknown', 'counted.empty'])
    .where('apps.source', '=', source)
    // Parameters that were once requested app by app are not in the listing: they are requested again after the app
    // changes.
    .where((is) => is.or([is('counted.app', 'is not', null), is('apps.backfilled', 'is not', null)]))
    .orderBy('apps.slug')
    .execute();
  return rows
    .filter(({ hash, backfilled }) => hash !== backfilled)
    .map(({ slug, hash, unknown: none, empty: without, backfilled }) => ({
      slug,
      hash,
      empty: Number(without ?? 0),
      unknown: Number(none ?? 0) + (backfilled === null ? 0 : 1),
    }))
    .sort((a, b) => b.unknown - a.unknown || b.empty - a.empty);
}

function createTables(
  transaction: Kysely<Schema>,
  kind: DatabaseKind,
  { id: job, source }: { readonly id: string; readonly source: CatalogueSourceName },
): CatalogueTables {
  const put = <Row>(table: BulkTable<Row>, rows: readonly Row[], position = 0): Promise<void> =>
    insert(transaction, kind, table, rows, { source, job, position });
  const remove = async (table: CatalogueTable, column: 'slug' | 'app', names: readonly string[]) => {
    let removed = 0;
    for (let start = 0; start < names.length; start += maxNames) {
      const some = names.slice(start, start + maxNames);
      const query = transaction.deleteFrom(table).where('source', '=', source).where(sql.ref(column), 'in', some);
      removed += Number((await query.executeTakeFirst()).numDeletedRows);
    }
    return removed;
  };

  const tables: CatalogueTables = {
    putApps: (rows, position) => put(appTable, rows, position),
    putActions: (rows) => put(actionTable, rows),
    putTriggers: (rows) => put(triggerTable, rows),
    async removeUnseen(table, app) {
      if (table === 'apps') {
        const unseen = transaction.selectFrom('catalogue_apps').select('slug').where('source', '=', source);
        return tables.removeApps((await unseen.where('job', '!=', job).execute()).map(({ slug }) => slug));
      }
      let query = transaction.deleteFrom(`catalogue_${table}`).where('source', '=', source).where('job', '!=', job);
      if (app !== undefined) query = query.where('app', '=', app);
      return Number((await query.executeTakeFirst()).numDeletedRows);
    },
    async removeApps(slugs) {
      const ofApps = await remove('catalogue_actions', 'app', slugs);
      return (
        ofApps + (await remove('catalogue_triggers', 'app', slugs)) + (await remove('catalogue_apps', 'slug', slugs))
      );
    },
    async keep(table, slugs) {
      for (let start = 0; start < slugs.length; start += maxNames) {
        const query = transaction.updateTable(`catalogue_${table}`).set({ job }).where('source', '=', source);
        await query.where('slug', 'in', slugs.slice(start, start + maxNames)).execute();
      }
    },
    async markBackfilled(app, hash) {
      const query = transaction.updateTable('catalogue_apps').set({ backfilled: hash });
      await query.where('source', '=', source).where('slug', '=', app).execute();
    },
    recount: (app) => recount(transaction, source, app),
    publish: () => publish(transaction, source),
  };
  return tables;
}

/** Counts what this source has, and increases the revision by which readers detect the change. */
async function publish(transaction: Kysely<Schema>, source: CatalogueSourceName): Promise<void> {
  const count = (table: CatalogueTable) =>
    sql<number>`(select count(*) from ${sql.table(table)} where source = ${source})`;
  const without = sql<number>`(select count(*) from catalogue_actions where source = ${source} and input_parameters is null)`;
  const counts = {
    apps: count('catalogue_apps'),
    actions: count('catalogue_actions'),
    triggers: count('catalogue_triggers'),
    without_parameters: without,
  };
  await transaction
    .insertInto('catalogue_sources')
    .values({ source, revision: 1, ...counts })
    .onConflict((conflict) =>
      conflict
        .column('source')
        .doUpdateSet((is) => ({ ...counts, revision: is('catalogue_sources.revision', '+', 1) })),
    )
    .execute();
}

async function recount(
  transaction: Kysely<Schema>,
  source: CatalogueSourceName,
  app: string | undefined,
): Promise<void> {
  const stored = (table: 'catalogue_actions' | 'catalogue_triggers') =>
    sql`(select count(*) from ${sql.table(table)} as counted
      where counted.source = catalogue_apps.source and counted.app = catalogue_apps.slug)`;
  const [actions, triggers] = [stored('catalogue_actions'), stored('catalogue_triggers')];
  await sql`update catalogue_apps set action_count = ${actions}, trigger_count = ${triggers}
    where source = ${source} and exists (select 1 from catalogue_actions where source = ${source})
      and (action_count <> ${actions} or trigger_count <> ${triggers})
      ${app === undefined ? sql`` : sql`and slug = ${app}`}`.execute(transaction);
}

const texts = new Map<string, string>();

/** Values that a listing omits stay what they were in the same version. */
const kept = ['input_parameters', 'output_parameters'];
const keepKnown = (table: string, column: string): string => `case when excluded.${column} is null
  and excluded.version is not distinct from ${table}.version then ${table}.${column} else excluded.${column} end`;

/** SQLite's `?1` and PostgreSQL's `$1`. A page's rows are of one kind, so few texts are ever created. */
function insertText<Row>({ name, columns, key }: BulkTable<Row>, kind: DatabaseKind, rows: number): string {
  const known = texts.get(`${kind} ${name} ${rows}`);
  if (known !== undefined) return known;
  const mark = kind === 'postgres' ? '$' : '?';
  const list = Array.from({ length: rows }, (_, row) => {
    const marks = columns.map((_column, column) => `${mark}${row * columns.length + column + 1}`);
    return `(${marks.join(', ')})`;
  });
  const others = columns
    .filter((column) => !key.includes(column))
    .map((column) => `${column} = ${kept.includes(column) ? keepKnown(name, column) : `excluded.${column}`}`);
  const text = `insert into ${name} (${columns.join(', ')}) values ${list.join(', ')}
    on conflict (${key.join(', ')}) do update set ${others.join(', ')}`;
  texts.set(`${kind} ${name} ${rows}`, text);
  return text;
}

async function insert<Row>(
  transaction: Kysely<Schema>,
  kind: DatabaseKind,
  table: BulkTable<Row>,
  given: readonly Row[],
  place: { readonly source: CatalogueSourceName; readonly job: string; readonly position: number },
): Promise<void> {
  // One statement cannot write a row twice; if a source lists a row twice, the last one counts.
  const last = new Map(
    given.map((row, index) => [table.values(row, { ...place, position: place.position + index })[1], index]),
  );
  const rows = last.size === given.length ? given : [...last.values()].map((index) => given[index] as Row);
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    const some = rows.slice(start, start + rowsPerStatement);
    const parameters: Parameter[] = [];
    for (const [index, row] of some.entries())
      parameters.push(...table.values(row, { ...place, position: place.position + start + index }));
    await transaction.executeQuery(CompiledQuery.raw(insertText(table, kind, some.length), parameters));
  }
}
