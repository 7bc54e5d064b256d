/**
 * The marketplace: every app that a workspace could use, what it already has of each, and the events that apps
 * send.
 */
import type { SignInEnd } from './accounts.js';
import type {
  CatalogueSourceName,
  CatalogueTrigger,
  SourceState,
  SyncJob,
  SyncKind,
  TriggerEvent,
} from './catalogue.js';
import type { Connection, ConnectionStatus } from './connection.js';
import type { JsonObject } from './json.js';
import type { Principal } from './principal.js';
import type { ProviderKind } from './provider-kind.js';

/** The best status of a workspace's connections to an app; `active` for apps without accounts that it uses. */
export type MarketplaceStatus = 'available' | ConnectionStatus;

export interface MarketplaceApp {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly provider: ProviderKind;
  readonly logo?: string;
  readonly url?: string;
  readonly categories: readonly string[];
  readonly authSchemes: readonly string[];
  readonly noAuth: boolean;
  readonly deprecated: boolean;
  readonly version?: string;
  readonly updatedAt?: string;
  /** Undefined until the app's tools are loaded. */
  readonly actionCount?: number;
  readonly triggerCount?: number;
  readonly status: MarketplaceStatus;
  readonly connections: readonly Pick<Connection, 'id' | 'name' | 'slug' | 'status'>[];
}

export type MarketplaceSort = 'name' | 'actions' | 'triggers' | 'recent';

export interface MarketplaceQuery {
  /** Words, each of which must occur in the name, the slug, the description or a category. */
  readonly search?: string;
  readonly category?: string;
  readonly provider?: ProviderKind;
  /** `OAUTH2`, `API_KEY`, …; `NONE`: without an account. */
  readonly auth?: string;
  readonly status?: MarketplaceStatus | 'connected';
  /** Default: best match for a search, else `name`; the other orders start with the highest number. */
  readonly sort?: MarketplaceSort;
  /** Default 50, at most 200. */
  readonly limit?: number;
  readonly cursor?: string;
}

export interface MarketplacePage {
  readonly apps: readonly MarketplaceApp[];
  /** Total on all pages. */
  readonly total: number;
  /** Counts over all apps that match the query. */
  readonly counts: {
    readonly categories: Record<string, number>;
    readonly providers: Record<string, number>;
    readonly statuses: Record<string, number>;
  };
  readonly nextCursor?: string;
  /**
   * Only for a search. `words`: each app has all of the words. `purpose`: hardly any has, so that apps follow which serve the
   * purpose that the words name, at most 30, the best first whatever `sort` says.
   */
  readonly matched?: 'words' | 'purpose';
  /** Tools are still being read that may put other apps first: the same question again gets the whole answer. */
  readonly isIncomplete?: true;
}

export interface MarketplaceStats {
  readonly apps: number;
  readonly actions: number;
  readonly triggers: number;
  /** Number of apps in each category. */
  readonly categories: Record<string, number>;
  readonly providers: Record<string, number>;
  /** Apps with an active or merely added connection in this workspace. */
  readonly connected: number;
  readonly added: number;
  readonly lastSync?: string;
}

/** The public part of a synchronisation job. */
export type SyncReport = Omit<SyncJob, 'cursor' | 'holder'>;

/** `debug/cache-status`: how fresh the catalogue is. */
export interface CacheStatus {
  readonly revision: number;
  readonly sources: readonly (SourceState & {
    readonly configured: boolean;
    /** Seconds since it was last synchronised. */
    readonly ageSeconds?: number;
    readonly running?: SyncReport;
  })[];
}

/** A workspace's subscription to an app's events. */
export interface TriggerSubscription {
  readonly id: string;
  readonly source: CatalogueSourceName;
  /** `GITHUB_COMMIT_EVENT` */
  readonly trigger: string;
  readonly app: string;
  readonly connectionId: string;
  /** The source's own id of the subscription. */
  readonly externalId: string;
  readonly config: JsonObject;
  readonly createdAt: string;
}

/** An event as it was received. */
export type ReceivedEvent = Pick<TriggerEvent, 'id' | 'trigger' | 'app' | 'at' | 'payload'> & {
  readonly subscriptionId: string;
  /** Undefined only for events of a subscription that ended before accounts were stored with subscriptions. */
  readonly connectionId?: string;
  readonly receivedAt: string;
};

export interface SyncInput {
  readonly kind: SyncKind;
  /** Default `composio`. */
  readonly source?: CatalogueSourceName;
  /** For `parameters`: the maximum number of apps to ask for. Default 30. */
  readonly limit?: number;
}

/** Received events, newest first. */
export interface TriggerEventPage {
  readonly events: readonly ReceivedEvent[];
  /** `before` of the next page; absent on the last. */
  readonly next?: string;
}

/** The marketplace operations that the surfaces call. */
export interface MarketplaceActs {
  marketplace(principal: Principal, query: MarketplaceQuery): Promise<MarketplacePage>;
  marketplaceStats(principal: Principal): Promise<MarketplaceStats>;
  cacheStatus(principal: Principal): Promise<CacheStatus>;
  /**
   * Starts or stops using an app without accounts in this workspace. Throws `not_found`, or `invalid_input` for an
   * app with accounts.
   */
  useToolkit(principal: Principal, toolkit: string, use: boolean): Promise<void>;
  /** Whether the app's tools act without an account. Throws `not_found`. */
  withoutAccounts(principal: Principal, toolkit: string): Promise<boolean>;
  /** Returns the job that is already running, or a new one. Throws `conflict` for a source that is not configured. */
  synchronise(principal: Principal, input: SyncInput): Promise<{ readonly job: SyncReport; readonly created: boolean }>;
  /** Newest first. */
  syncJobs(principal: Principal, query: { readonly limit?: number }): Promise<SyncReport[]>;
  followSync(principal: Principal, jobId: string, signal: AbortSignal): AsyncIterable<SyncReport>;
  cancelSync(principal: Principal, jobId: string): Promise<SyncReport>;
  triggers(principal: Principal, app: string): Promise<readonly CatalogueTrigger[]>;
  subscriptions(principal: Principal): Promise<TriggerSubscription[]>;
  /**
   * The subscription that there is, if the source has the same one for this account already. Throws `invalid_input` for a configuration
   * that the trigger does not accept, and `conflict` for an account that was disconnected meanwhile.
   */
  subscribe(
    principal: Principal,
    input: { readonly trigger: string; readonly connection: string; readonly config?: JsonObject },
  ): Promise<TriggerSubscription>;
  unsubscribe(principal: Principal, subscriptionId: string): Promise<void>;
  /** Newest first. `before`: `next` of the previous page. Throws `invalid_input` for another text. */
  triggerEvents(
    principal: Principal,
    query: { readonly subscription?: string; readonly before?: string; readonly limit?: number },
  ): Promise<TriggerEventPage>;
  /**
   * Receives a signed message from a source: `body` is its bytes as they came. A repeated message is stored once. Throws `unauthenticated` for a wrong
   * signature, `not_found` if no one is subscribed.
   */
  receiveEvent(
    source: CatalogueSourceName,
    body: Uint8Array,
    headers: Headers,
  ): Promise<{ readonly received: boolean }>;
  /**
   * Handles a browser that returns from a provider that stores the account. Never throws for bad input from outside.
   */
  finishHostedSignIn(callback: URLSearchParams): Promise<SignInEnd>;
}
