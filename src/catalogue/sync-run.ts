/**
 * One synchronisation, step by step. Each step is one or a few requests and then one commit, which also writes the
 * job's progress: after a kill at any moment, the job resumes at the step that was not committed.
 */
import type {
  CatalogueAction,
  CatalogueSource,
  CatalogueStorage,
  CatalogueTables,
  CatalogueTrigger,
  LackingApp,
  LeftOutRow,
  SourcePage,
  StepWork,
  SyncJob,
  SyncPhase,
  SyncProgress,
} from '../domain/catalogue.js';
import { HelveError } from '../domain/errors.js';
import { defined } from '../util/defined.js';
import {
  createPageGuard,
  listSlugs,
  mayHaveMoved,
  namedToo,
  type PageGuard,
  readWhole,
  refuseMany,
  type WholeListing,
} from './read-pages.js';
import { getChanges, type SourceChanges } from './source-changes.js';

export interface RunParts {
  readonly storage: CatalogueStorage;
  readonly source: CatalogueSource;
  /** Writes the step; throws `conflict` if the job is no longer ours, and any error that stops it. */
  readonly step: (job: SyncJob, progress: SyncProgress, work?: StepWork) => Promise<SyncJob>;
}

interface Run extends RunParts {
  /** Apps whose parameters are still to be requested: determined once. */
  lacking: LackingApp[] | undefined;
  /** Rows that are stored but were not listed: determined once. */
  missing: { readonly apps: string[]; readonly actions: string[]; readonly triggers: string[] } | undefined;
  /** The guard of the listing that is being read. */
  guard: PageGuard | undefined;
}

/** The progress of reading a listing, in the job's row. */
interface PageCursor {
  readonly next?: string;
  /** Rows of the previous pages, including those left out. */
  readonly rows: number;
  readonly leftOut: number;
  /** The total that the first page stated. */
  readonly total?: number;
  /** It is read for the second time, because rows may have moved the first time. */
  readonly again: boolean;
}

/** Requesting parameters app by app is given up after this many answers without any. */
const maxFruitless = 5;
/** Above this share of changed apps everything is listed again, which takes fewer requests. */
const maxChanged = 0.2;
const fewApps = 20;

/** Runs the job to its end, from its present step. */
export async function runSync(parts: RunParts, started: SyncJob): Promise<SyncJob> {
  const run: Run = { ...parts, lacking: undefined, missing: undefined, guard: undefined };
  let job = started;
  while (job.phase !== 'finish') job = await phases[job.phase](run, job);
  return job;
}

const phases: Readonly<Record<Exclude<SyncPhase, 'finish'>, (run: Run, job: SyncJob) => Promise<SyncJob>>> = {
  apps: (run, job) =>
    listStep(run, job, {
      what: 'apps',
      after: 'actions',
      read: (cursor) => run.source.apps(cursor),
      put: (tables, rows, position) => tables.putApps(rows, position),
    }),
  actions: (run, job) =>
    listStep(run, job, {
      what: 'actions',
      after: 'triggers',
      read: (cursor) => run.source.actions(cursor === undefined ? {} : { cursor }),
      put: (tables, rows) => tables.putActions(rows),
    }),
  triggers: (run, job) =>
    listStep(run, job, {
      what: 'triggers',
      after: 'missing',
      read: (cursor) => run.source.triggers(cursor === undefined ? {} : { cursor }),
      put: (tables, rows) => tables.putTriggers(rows),
    }),
  missing: missingStep,
  parameters: parametersStep,
  changes: changesStep,
};

type Table = 'apps' | 'actions' | 'triggers';

const kinds = { apps: 'app', actions: 'action', triggers: 'trigger' } as const satisfies Record<
  Table,
  LeftOutRow['kind']
>;

interface Listing<Row> {
  readonly what: Table;
  readonly after: SyncPhase;
  read(cursor: string | undefined): Promise<SourcePage<Row>>;
  put(tables: CatalogueTables, rows: readonly Row[], position: number): Promise<void>;
}

async function listStep<Row extends { readonly slug: string }>(
  run: Run,
  job: SyncJob,
  listing: Listing<Row>,
): Promise<SyncJob> {
  const { what, after } = listing;
  const { next, rows: before = 0, leftOut: unusable = 0, ...cursor } = job.cursor as unknown as Partial<PageCursor>;
  if (next === undefined) run.guard = undefined;
  run.guard ??= createPageGuard(what);
  const page = await listing.read(next);
  run.guard.check(page);
  const leftOut = page.leftOut ?? [];
  const rows = before + page.rows.length + leftOut.length;
  const total = cursor.total ?? page.total;
  const counts = {
    ...job.counts,
    [what]: (before === 0 ? 0 : job.counts[what]) + page.rows.length,
    calls: job.counts.calls + 1,
  };
  const common = { counts, leftOut: namedToo(job.leftOut, kinds[what], leftOut) };
  const place = { rows, leftOut: unusable + leftOut.length, again: cursor.again ?? false };
  let progress: SyncProgress;
  if (page.next !== undefined) {
    const goesOn = { ...place, next: page.next, ...defined({ total }) };
    progress = { ...common, phase: job.phase, done: rows, total: page.total, cursor: goesOn };
  } else {
    const named = common.leftOut?.filter(({ kind }) => kind === kinds[what]) ?? [];
    refuseMany(what, { leftOut: named, count: place.leftOut }, rows);
    if (what !== 'triggers') await refuseEmpty(run, what, rows);
    const anew = !place.again && mayHaveMoved(rows, total, page.total);
    progress = { ...common, phase: anew ? job.phase : after, done: 0, cursor: anew ? { again: true } : {} };
  }
  return run.step(job, progress, async (tables) => {
    await listing.put(tables, page.rows, before);
    await tables.keep(what, listSlugs(leftOut));
    return 0;
  });
}

/**
 * Handles rows that are stored but were not listed, app by app. A row may have been removed, or only moved to a page
 * that was already read: the source is asked for it directly before anything is removed.
 */
async function missingStep(run: Run, job: SyncJob): Promise<SyncJob> {
  run.missing ??= copyUnseen(await run.storage.unseen(job.source, job.id));
  const { apps, actions, triggers } = run.missing;
  if (apps.length > 0) return missingApps(run, job, run.missing);
  const [what, list] = actions.length > 0 ? (['actions', actions] as const) : (['triggers', triggers] as const);
  const app = list[0];
  if (app === undefined) return run.step(job, { phase: 'parameters', counts: job.counts, done: 0, cursor: {} });
  const listed = await listOfApp(run, job, what, app);
  const progress = {
    phase: job.phase,
    cursor: {},
    done: job.done + 1,
    total: job.done + actions.length + triggers.length,
    counts: { ...job.counts, calls: job.counts.calls + listed.calls },
    leftOut: namedToo(job.leftOut, kinds[what], listed.leftOut),
  };
  const after = await run.step(job, progress, (tables) => putListOfApp(tables, what, app, listed));
  list.shift();
  return after;
}

const copyUnseen = ({ apps, actions, triggers }: Awaited<ReturnType<CatalogueStorage['unseen']>>) => ({
  apps: [...apps],
  actions: [...actions],
  triggers: [...triggers],
});

/** Handles one app that was not listed, or all of them if the source's listing is certain. */
async function missingApps(run: Run, job: SyncJob, missing: NonNullable<Run['missing']>): Promise<SyncJob> {
  const { hasApp } = run.source;
  const asked = hasApp ? missing.apps.slice(0, 1) : [...missing.apps];
  const isThere = (await hasApp?.(asked[0] ?? '')) ?? false;
  const counts = { ...job.counts, calls: job.counts.calls + (hasApp ? 1 : 0) };
  const progress = { phase: job.phase, counts, done: job.done + 1, total: job.done + missing.apps.length, cursor: {} };
  const after = await run.step(job, progress, async (tables) => {
    if (!isThere) return tables.removeApps(asked);
    await tables.keep('apps', asked);
    return 0;
  });
  missing.apps.splice(0, asked.length);
  if (isThere) return after;
  for (const list of [missing.actions, missing.triggers])
    for (const app of asked) if (list.includes(app)) list.splice(list.indexOf(app), 1);
  return after;
}

type ListOfApp =
  | (WholeListing<CatalogueAction> & { readonly what: 'actions' })
  | (WholeListing<CatalogueTrigger> & { readonly what: 'triggers' });

/** Reads the listing a second time if it took several pages and lacks something that is stored. */
async function listOfApp(
  { storage, source }: RunParts,
  job: Pick<SyncJob, 'source'>,
  what: 'actions' | 'triggers',
  app: string,
): Promise<ListOfApp> {
  const query = (cursor: string | undefined) => ({ app, ...defined({ cursor }) });
  const holdsAll = async (listing: WholeListing<{ readonly slug: string }>): Promise<boolean> => {
    const listed = new Set([...listing.rows.map(({ slug }) => slug), ...listSlugs(listing.leftOut)]);
    return (await storage[what](job.source, app)).every(({ slug }) => listed.has(slug));
  };
  return what === 'actions'
    ? { what, ...(await readWhole(what, (cursor) => source.actions(query(cursor)), holdsAll)) }
    : { what, ...(await readWhole(what, (cursor) => source.triggers(query(cursor)), holdsAll)) };
}

/** Writes what the source lists for one app, and removes its other rows. Returns how many were removed. */
async function putListOfApp(
  tables: CatalogueTables,
  what: 'actions' | 'triggers',
  app: string,
  listed: ListOfApp,
): Promise<number> {
  if (listed.what === 'actions') await tables.putActions(listed.rows);
  else await tables.putTriggers(listed.rows);
  await tables.keep(what, listSlugs(listed.leftOut));
  // An unusable row without a slug could be any of the stored ones.
  return listed.leftOut.some(({ slug }) => slug === undefined) ? 0 : tables.removeUnseen(what, app);
}

/** A source that suddenly lists nothing is assumed to be broken. */
async function refuseEmpty({ storage, source }: RunParts, what: 'apps' | 'actions', rows: number): Promise<void> {
  if (rows > 0) return;
  const state = (await storage.states()).find((one) => one.source === source.source);
  if (state === undefined || state[what] === 0) return;
  throw new HelveError('upstream_failed', `The source lists no ${what}, but ${state[what]} are known`, {
    hint: 'Nothing was removed. Check the API key, and what it may see.',
  });
}

/**
 * Requests the unknown parameters of one app or, if none are left, ends the job. `limit`: maximum number of apps to ask
 * for.
 */
async function parametersStep(run: Run, job: SyncJob): Promise<SyncJob> {
  const { fruitless = 0, asked = 0, limit } = job.cursor as { fruitless?: number; asked?: number; limit?: number };
  run.lacking ??= await run.storage.lacking(job.source);
  // Parameters may really be empty: the first few requests show whether asking helps.
  const isWanted = ({ unknown }: LackingApp): boolean => unknown > 0 || limit !== undefined || fruitless < maxFruitless;
  const app = run.lacking.find(isWanted);
  if (app === undefined || (limit !== undefined && asked >= limit)) return finish(run, job);
  const { rows, calls, leftOut } = await readWhole('actions', (cursor) =>
    run.source.actions({ app: app.slug, ...defined({ cursor }) }),
  );
  const left = run.lacking.filter((one) => one !== app);
  const brought = rows.some(({ inputParameters }) => !isEmpty(inputParameters));
  const { counts } = job;
  const total = asked + 1 + Math.min(left.length, limit === undefined ? left.length : limit - asked - 1);
  const state = { asked: asked + 1, fruitless: brought ? 0 : fruitless + 1, ...defined({ limit }) };
  const after = await run.step(
    job,
    {
      phase: 'parameters',
      counts: { ...counts, calls: counts.calls + calls, backfilled: counts.backfilled + 1 },
      done: asked + 1,
      total,
      cursor: state,
      leftOut: namedToo(job.leftOut, 'action', leftOut),
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

async function finish(run: Run, job: SyncJob): Promise<SyncJob> {
  if (job.kind === 'parameters') return run.step(job, { phase: 'finish', counts: job.counts, done: 0, cursor: {} });
  // Rows may have come twice or been left out: the stored rows count.
  const counts = { ...job.counts, ...(await run.storage.count(job.source)) };
  return run.step(job, { phase: 'finish', counts, done: 0, cursor: {} }, async (tables) => {
    await tables.recount();
    await tables.publish();
    return 0;
  });
}

/** Applies the changes app by app. Writes nothing if nothing has changed. */
async function changesStep(parts: RunParts, job: SyncJob): Promise<SyncJob> {
  const planned = job.cursor.apps as readonly string[] | undefined;
  if (planned === undefined) return planChanges(parts, job);
  const [slug, ...rest] = planned;
  if (slug === undefined) return parts.step(job, { phase: 'finish', counts: job.counts, done: job.done, cursor: {} });
  const actions = await listOfApp(parts, job, 'actions', slug);
  const triggers = await listOfApp(parts, job, 'triggers', slug);
  const leftOut = namedToo(namedToo(job.leftOut, 'action', actions.leftOut), 'trigger', triggers.leftOut);
  const { counts } = job;
  if (leftOut) await refuseManyOfAll(parts, leftOut);
  const progress: SyncProgress = {
    phase: 'changes',
    counts: {
      ...counts,
      actions: counts.actions + actions.rows.length,
      triggers: counts.triggers + triggers.rows.length,
      calls: counts.calls + actions.calls + triggers.calls,
    },
    done: job.done + 1,
    total: job.total,
    cursor: { apps: rest },
    leftOut,
  };
  return parts.step(job, progress, async (tables) => {
    const removed =
      (await putListOfApp(tables, 'actions', slug, actions)) + (await putListOfApp(tables, 'triggers', slug, triggers));
    await tables.recount(slug);
    await tables.publish();
    return removed;
  });
}

/** A single app may have few actions, so left-out rows are judged against all stored rows. */
async function refuseManyOfAll({ storage, source }: RunParts, leftOut: readonly LeftOutRow[]): Promise<void> {
  const { apps, actions, triggers } = await storage.count(source.source);
  refuseMany('rows', { leftOut }, apps + actions + triggers);
}

async function planChanges(parts: RunParts, job: SyncJob): Promise<SyncJob> {
  const { storage, source } = parts;
  const states = await storage.states();
  const listAll = { phase: 'apps' as const, counts: job.counts, done: 0, cursor: {} };
  if (states.find((state) => state.source === job.source)?.fullAt === undefined) return parts.step(job, listAll);
  const apps = await readWhole('apps', (cursor) => source.apps(cursor));
  const listed = apps.rows.length + apps.leftOut.length;
  refuseMany('apps', apps, listed);
  await refuseEmpty(parts, 'apps', listed);
  const slugs = await source.actionSlugs();
  const counts = { ...job.counts, calls: job.counts.calls + apps.calls + 1 };
  const changes = await getChanges(storage, job.source, apps.rows, slugs);
  const { changed, missingApps: missing, shrunkApps } = changes;
  if (changed.length + missing.length + shrunkApps.length > Math.max(fewApps, listed * maxChanged))
    return parts.step(job, { ...listAll, counts });
  const unusable = new Set(listSlugs(apps.leftOut));
  const removed: string[] = [];
  for (const app of missing) {
    if (unusable.has(app)) continue;
    if (source.hasApp) counts.calls += 1;
    // It may only have moved while the pages were read.
    if (!(await source.hasApp?.(app))) removed.push(app);
  }
  const leftOut = namedToo(job.leftOut, 'app', apps.leftOut);
  const todo = [...changed.map(({ app }) => app.slug), ...shrunkApps];
  if (todo.length + removed.length === 0)
    return parts.step(job, { phase: 'finish', counts, done: 0, cursor: {}, leftOut });
  return parts.step(
    job,
    {
      phase: 'changes',
      counts: { ...counts, apps: changed.length },
      done: 0,
      total: todo.length,
      cursor: { apps: todo },
      leftOut,
    },
    (tables) => writePlan(tables, changes, removed),
  );
}

async function writePlan(
  tables: CatalogueTables,
  { changed }: Pick<SourceChanges, 'changed'>,
  removedApps: readonly string[],
): Promise<number> {
  for (const { app, position } of changed) await tables.putApps([app], position);
  const removed = await tables.removeApps(removedApps);
  await tables.publish();
  return removed;
}
