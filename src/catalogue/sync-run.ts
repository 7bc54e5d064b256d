/**
 * One synchronisation, step by step. Each step is one or a few requests and then one commit, which also writes how far
 * the job came: whoever goes on with it, after a kill at any instant, begins at the step that was not committed.
 */
import type {
  CatalogueAction,
  CatalogueSource,
  CatalogueStorage,
  CatalogueTables,
  LackingApp,
  SourcePage,
  StepWork,
  SyncCounts,
  SyncJob,
  SyncPhase,
  SyncProgress,
} from '../spec/catalogue.js';
import { HelveError } from '../spec/errors.js';
import { changesOf, type SourceChanges } from './source-changes.js';

export interface RunParts {
  readonly storage: CatalogueStorage;
  readonly source: CatalogueSource;
  /** Writes the step; throws `conflict` when the job is no longer ours, and whatever stops it. */
  readonly step: (job: SyncJob, progress: SyncProgress, work?: StepWork) => Promise<SyncJob>;
}

interface Run extends RunParts {
  /** Apps whose parameters are still to be asked for: found out once. */
  lacking: LackingApp[] | undefined;
}

/** What a page's cursor says in the job's row. */
interface PageCursor {
  readonly next?: string;
  /** Rows of the pages before. */
  readonly rows: number;
}

/** Asking app by app for parameters that no answer brings is given up after so many. */
const mostFruitless = 5;
/** Beyond this share of changed apps everything is listed anew: that takes fewer requests. */
const mostChanged = 0.2;
const fewApps = 20;

/** To the end, from wherever the job stands. */
export async function runSync(parts: RunParts, started: SyncJob): Promise<SyncJob> {
  const run: Run = { ...parts, lacking: undefined };
  let job = started;
  while (job.phase !== 'finish') job = await phases[job.phase](run, job);
  return job;
}

const phases: Readonly<Record<Exclude<SyncPhase, 'finish'>, (run: Run, job: SyncJob) => Promise<SyncJob>>> = {
  apps: (parts, job) =>
    listStep(parts, job, 'actions', {
      read: (cursor) => parts.source.apps(cursor),
      put: (tables, rows, position) => tables.putApps(rows, position),
      count: (counts, rows) => ({ ...counts, apps: counts.apps + rows }),
      atEnd: (rows) => refuseEmpty(parts, 'apps', rows),
    }),
  actions: (parts, job) =>
    listStep(parts, job, 'triggers', {
      read: (cursor) => parts.source.actions(cursor === undefined ? {} : { cursor }),
      put: (tables, rows) => tables.putActions(rows),
      count: (counts, rows) => ({ ...counts, actions: counts.actions + rows }),
      atEnd: (rows) => refuseEmpty(parts, 'actions', rows),
    }),
  triggers: (parts, job) =>
    listStep(parts, job, 'parameters', {
      read: (cursor) => parts.source.triggers(cursor === undefined ? {} : { cursor }),
      put: (tables, rows) => tables.putTriggers(rows),
      count: (counts, rows) => ({ ...counts, triggers: counts.triggers + rows }),
      // Now everything has been listed. What is gone must go before anybody is asked for its parameters.
      afterLast: removeGone,
    }),
  parameters: parametersStep,
  changes: changesStep,
};

interface Listing<Row> {
  read(cursor: string | undefined): Promise<SourcePage<Row>>;
  put(tables: CatalogueTables, rows: readonly Row[], position: number): Promise<void>;
  count(counts: SyncCounts, rows: number): SyncCounts;
  /** With the number of all rows, before the last page is written. */
  atEnd?(rows: number): Promise<void>;
  /** With the last page, in its commit. How many rows it removed. */
  afterLast?(tables: CatalogueTables): Promise<number>;
}

async function removeGone(tables: CatalogueTables): Promise<number> {
  let removed = 0;
  for (const table of ['actions', 'triggers', 'apps'] as const) removed += await tables.removeUnseen(table);
  return removed;
}

async function listStep<Row>(parts: RunParts, job: SyncJob, after: SyncPhase, listing: Listing<Row>): Promise<SyncJob> {
  const cursor = job.cursor as unknown as Partial<PageCursor>;
  const before = cursor.rows ?? 0;
  const page = await listing.read(cursor.next);
  const rows = before + page.rows.length;
  const last = page.next === undefined;
  if (last) {
    refuseShort(job.phase, rows, page.total);
    await listing.atEnd?.(rows);
  } else if (page.next === cursor.next || page.rows.length === 0)
    throw new HelveError('upstream_failed', `The source's pages of ${job.phase} do not come to an end`);
  const counts = listing.count({ ...job.counts, calls: job.counts.calls + 1 }, page.rows.length);
  const progress: SyncProgress = last
    ? { phase: after, counts, done: 0, cursor: {} }
    : { phase: job.phase, counts, done: rows, total: page.total, cursor: { rows, next: page.next } };
  return parts.step(job, progress, async (tables) => {
    await listing.put(tables, page.rows, before);
    return last ? listing.afterLast?.(tables) : 0;
  });
}

function refuseShort(what: string, rows: number, total: number | undefined): void {
  if (total === undefined || rows >= total) return;
  throw new HelveError('upstream_failed', `The source listed ${rows} of its ${total} ${what}`, {
    hint: 'It was changed meanwhile, or its paging is broken. Nothing was removed here; synchronise again.',
  });
}

/** A source that suddenly has nothing has something the matter with it. */
async function refuseEmpty({ storage, source }: RunParts, what: 'apps' | 'actions', rows: number): Promise<void> {
  if (rows > 0) return;
  const state = (await storage.states()).find((one) => one.source === source.source);
  if (state === undefined || state[what] === 0) return;
  throw new HelveError('upstream_failed', `The source lists no ${what}, and ${state[what]} are known`, {
    hint: 'Nothing was removed. Check the API key, and what it may see.',
  });
}

/** The parameters of one app that are not known, or, when there is none left, the end. `limit`: apps to ask for at most. */
async function parametersStep(run: Run, job: SyncJob): Promise<SyncJob> {
  const { fruitless = 0, asked = 0, limit } = job.cursor as { fruitless?: number; asked?: number; limit?: number };
  run.lacking ??= await run.storage.lacking(job.source);
  // Empty parameters may be all that there is: whether asking helps is found out with the first few.
  const isWanted = ({ unknown }: LackingApp): boolean =>
    unknown > 0 || limit !== undefined || fruitless < mostFruitless;
  const app = run.lacking.find(isWanted);
  if (app === undefined || (limit !== undefined && asked >= limit)) return finish(run, job);
  const { rows, calls } = await allPages('actions', (cursor) =>
    run.source.actions({ app: app.slug, ...(cursor === undefined ? {} : { cursor }) }),
  );
  const left = run.lacking.filter((one) => one !== app);
  const brought = rows.some(({ inputParameters }) => !isEmpty(inputParameters));
  const { counts } = job;
  const total = asked + 1 + Math.min(left.length, limit === undefined ? left.length : limit - asked - 1);
  const state = { asked: asked + 1, fruitless: brought ? 0 : fruitless + 1, ...(limit === undefined ? {} : { limit }) };
  const after = await run.step(
    job,
    {
      phase: 'parameters',
      counts: { ...counts, calls: counts.calls + calls, backfilled: counts.backfilled + 1 },
      ...{ done: asked + 1, total, cursor: state },
    },
    async (tables) => {
      await tables.putActions(rows);
      await tables.markBackfilled(app.slug, app.hash);
      if (job.kind === 'parameters') await tables.publish();
      return 0;
    },
  );
  run.lacking = left;
  return after;
}

function isEmpty(schema: CatalogueAction['inputParameters']): boolean {
  return schema === undefined || Object.keys(schema).length === 0;
}

function finish(run: Run, job: SyncJob): Promise<SyncJob> {
  const progress = { phase: 'finish' as const, counts: job.counts, done: 0, cursor: {} };
  if (job.kind === 'parameters') return run.step(job, progress);
  return run.step(job, progress, async (tables) => {
    await tables.publish();
    return 0;
  });
}

/** What has changed, app by app. Nothing is written where nothing has. */
async function changesStep(parts: RunParts, job: SyncJob): Promise<SyncJob> {
  const planned = job.cursor.apps as readonly string[] | undefined;
  if (planned === undefined) return planChanges(parts, job);
  const [slug, ...rest] = planned;
  if (slug === undefined) return parts.step(job, { phase: 'finish', counts: job.counts, done: job.done, cursor: {} });
  const ofApp = (cursor: string | undefined) => ({ app: slug, ...(cursor === undefined ? {} : { cursor }) });
  const actions = await allPages('actions', (cursor) => parts.source.actions(ofApp(cursor)));
  const triggers = await allPages('triggers', (cursor) => parts.source.triggers(ofApp(cursor)));
  const { counts } = job;
  const progress: SyncProgress = {
    phase: 'changes',
    counts: {
      ...counts,
      actions: counts.actions + actions.rows.length,
      triggers: counts.triggers + triggers.rows.length,
      calls: counts.calls + actions.calls + triggers.calls,
    },
    ...{ done: job.done + 1, total: job.total, cursor: { apps: rest } },
  };
  return parts.step(job, progress, async (tables) => {
    await tables.putActions(actions.rows);
    await tables.putTriggers(triggers.rows);
    const removed = (await tables.removeUnseen('actions', slug)) + (await tables.removeUnseen('triggers', slug));
    await tables.publish();
    return removed;
  });
}

async function planChanges(parts: RunParts, job: SyncJob): Promise<SyncJob> {
  const states = await parts.storage.states();
  const listAll = { phase: 'apps' as const, counts: job.counts, done: 0, cursor: {} };
  if (states.find(({ source }) => source === job.source)?.fullAt === undefined) return parts.step(job, listAll);
  const apps = await allPages('apps', (cursor) => parts.source.apps(cursor));
  await refuseEmpty(parts, 'apps', apps.rows.length);
  const slugs = await parts.source.actionSlugs();
  const counts = { ...job.counts, calls: job.counts.calls + apps.calls + 1 };
  const changes = await changesOf(parts.storage, job.source, apps.rows, slugs);
  const { changed, removedApps, removedActions } = changes;
  if (changed.length > Math.max(fewApps, apps.rows.length * mostChanged))
    return parts.step(job, { ...listAll, counts });
  if (changed.length + removedApps.length + removedActions.length === 0)
    return parts.step(job, { phase: 'finish', counts, done: 0, cursor: {} });
  const todo = changed.map(({ app }) => app.slug);
  return parts.step(
    job,
    {
      phase: 'changes',
      counts: { ...counts, apps: changed.length },
      done: 0,
      total: todo.length,
      cursor: { apps: todo },
    },
    (tables) => writePlan(tables, changes),
  );
}

async function writePlan(tables: CatalogueTables, { changed, removedApps, removedActions }: SourceChanges) {
  for (const { app, position } of changed) await tables.putApps([app], position);
  const removed = (await tables.removeApps(removedApps)) + (await tables.removeActions(removedActions));
  await tables.publish();
  return removed;
}

async function allPages<Row>(
  what: string,
  read: (cursor: string | undefined) => Promise<SourcePage<Row>>,
): Promise<{ rows: Row[]; calls: number }> {
  const rows: Row[] = [];
  let calls = 0;
  let total: number | undefined;
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    calls += 1;
    total = page.total;
    for (const row of page.rows) rows.push(row);
    if (page.next !== undefined && (page.next === cursor || page.rows.length === 0))
      throw new HelveError('upstream_failed', 'The pages of the source do not come to an end');
    cursor = page.next;
  } while (cursor !== undefined);
  refuseShort(what, rows.length, total);
  return { rows, calls };
}
