/** Converts the catalogue's rows to nouns, and writes many of them in one statement. */
import type {
  CatalogueAction,
  CatalogueApp,
  CatalogueSourceName,
  CatalogueTrigger,
  StoredApp,
  SyncJob,
} from '../domain/catalogue.js';
import type { CatalogueActionRow, CatalogueAppRow, CatalogueTriggerRow, SyncJobRow } from './catalogue-schema.js';
import { compact, decodeJson, encodeTime } from './codec.js';
import type { Parameter } from './engine.js';

export function toApp(row: CatalogueAppRow): StoredApp {
  return compact({
    source: row.source,
    slug: row.slug,
    name: row.name,
    description: row.description,
    logo: row.logo,
    url: row.url,
    categories: decodeJson<string[]>(row.categories),
    authSchemes: decodeJson<string[]>(row.auth_schemes),
    managedAuthSchemes: decodeJson<string[]>(row.managed_auth_schemes),
    noAuth: row.no_auth === 1,
    deprecated: row.deprecated === 1,
    version: row.version,
    updatedAt: row.updated_at,
    actionCount: row.action_count,
    triggerCount: row.trigger_count,
    hash: row.hash,
  });
}

export function toAction(row: CatalogueActionRow): CatalogueAction {
  return compact({
    app: row.app,
    slug: row.slug,
    title: row.title,
    description: row.description,
    tags: decodeJson<string[]>(row.tags),
    scopes: decodeJson<string[]>(row.scopes),
    version: row.version,
    deprecated: row.deprecated === 1,
    noAuth: row.no_auth === 1,
    inputParameters: row.input_parameters === null ? null : decodeJson(row.input_parameters),
    outputParameters: row.output_parameters === null ? null : decodeJson(row.output_parameters),
  }) as CatalogueAction;
}

export function toTrigger(row: CatalogueTriggerRow): CatalogueTrigger {
  const { app, slug, name, description, instructions, type } = row;
  const schemas = { config: decodeJson(row.config), payload: decodeJson(row.payload) };
  return compact({ app, slug, name, description, instructions, type, ...schemas }) as CatalogueTrigger;
}

/** The counts column also contains which rows were left out. */
type StoredCounts = SyncJob['counts'] & Pick<SyncJob, 'leftOut'>;

export function toJob(row: SyncJobRow): SyncJob {
  const { leftOut, ...counts } = decodeJson<StoredCounts>(row.counts);
  return compact({
    id: row.id,
    source: row.source,
    kind: row.kind,
    status: row.status,
    phase: row.phase,
    counts,
    done: row.done,
    total: row.total,
    cursor: decodeJson<SyncJob['cursor']>(row.cursor),
    startedAt: row.started_at,
    updatedAt: row.updated_at,
    finishedAt: row.finished_at,
    error: row.error,
    leftOut: leftOut ?? null,
    holder: row.holder,
  });
}

export function fromJob(job: SyncJob): Omit<SyncJobRow, 'lease_until'> {
  return {
    id: job.id,
    source: job.source,
    kind: job.kind,
    status: job.status,
    phase: job.phase,
    counts: encodeCounts(job.counts, job.leftOut),
    done: job.done,
    total: job.total ?? null,
    cursor: JSON.stringify(job.cursor),
    started_at: encodeTime(job.startedAt),
    updated_at: encodeTime(job.updatedAt),
    finished_at: job.finishedAt === undefined ? null : encodeTime(job.finishedAt),
    error: job.error ?? null,
    holder: job.holder,
  };
}

export function encodeCounts(counts: SyncJob['counts'], leftOut: SyncJob['leftOut']): string {
  return JSON.stringify(leftOut === undefined || leftOut.length === 0 ? counts : { ...counts, leftOut });
}

/** How to write rows of one table: many per statement, whose text is created once for each number of rows. */
export interface BulkTable<Row> {
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
  values(
    row: Row,
    place: { readonly source: CatalogueSourceName; readonly job: string; readonly position: number },
  ): Parameter[];
}

const flag = (value: boolean): number => (value ? 1 : 0);
const json = (value: unknown): string => JSON.stringify(value);
const optional = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

export const appTable: BulkTable<CatalogueApp> = {
  name: 'catalogue_apps',
  columns: [
    'source',
    'slug',
    'position',
    'name',
    'description',
    'logo',
    'url',
    'categories',
    'auth_schemes',
    'managed_auth_schemes',
    'no_auth',
    'deprecated',
    'version',
    'updated_at',
    'action_count',
    'trigger_count',
    'hash',
    'job',
  ],
  key: ['source', 'slug'],
  values: (app, { source, job, position }) => [
    source,
    app.slug,
    position,
    app.name,
    app.description,
    app.logo ?? null,
    app.url ?? null,
    json(app.categories),
    json(app.authSchemes),
    json(app.managedAuthSchemes),
    flag(app.noAuth),
    flag(app.deprecated),
    app.version ?? null,
    app.updatedAt ?? null,
    app.actionCount,
    app.triggerCount,
    app.hash,
    job,
  ],
};

export const actionTable: BulkTable<CatalogueAction> = {
  name: 'catalogue_actions',
  columns: [
    'source',
    'slug',
    'app',
    'title',
    'description',
    'tags',
    'scopes',
    'version',
    'deprecated',
    'no_auth',
    'input_parameters',
    'output_parameters',
    'job',
  ],
  key: ['source', 'slug'],
  values: (action, { source, job }) => [
    source,
    action.slug,
    action.app,
    action.title,
    action.description,
    json(action.tags),
    json(action.scopes),
    action.version ?? null,
    flag(action.deprecated),
    flag(action.noAuth),
    optional(action.inputParameters),
    optional(action.outputParameters),
    job,
  ],
};

export const triggerTable: BulkTable<CatalogueTrigger> = {
  name: 'catalogue_triggers',
  columns: ['source', 'slug', 'app', 'name', 'description', 'instructions', 'type', 'config', 'payload', 'job'],
  key: ['source', 'slug'],
  values: (trigger, { source, job }) => [
    source,
    trigger.slug,
    trigger.app,
    trigger.name,
    trigger.description,
    trigger.instructions ?? null,
    trigger.type,
    json(trigger.config),
    json(trigger.payload),
    job,
  ],
};
