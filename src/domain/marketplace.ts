/** The marketplace: every app that a workspace could use, and what it has of each. And what apps send unasked. */
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

/** The best of what a workspace has of an app; `active` for apps without accounts that it uses. */
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
  /** Undefined: not known before its tools are loaded. */
  readonly actionCount?: number;
  readonly triggerCount?: number;
  readonly status: MarketplaceStatus;
  readonly connections: readonly Pick<Connection, 'id' | 'name' | 'slug' | 'status'>[];
}

export type MarketplaceSort = 'name' | 'actions' | 'triggers' | 'recent';

export interface MarketplaceQuery {
  /** Words, each of which stands in the name, the slug, the description or a category. */
  readonly search?: string;
  readonly category?: string;
  readonly provider?: ProviderKind;
  /** `OAUTH2`, `API_KEY`, …; `NONE`: without an account. */
  readonly auth?: string;
  readonly status?: MarketplaceStatus | 'connected';
  /** Default: what fits a search best, else `name`; the others begin with the most. */
  readonly sort?: MarketplaceSort;
  /** Default 50, at most 200. */
  readonly limit?: number;
  readonly cursor?: string;
}

export interface MarketplacePage {
  readonly apps: readonly MarketplaceApp[];
  /** Of all pages. */
  readonly total: number;
  /** Of all apps that the query finds. */
  readonly counts: {
    readonly categories: Record<string, number>;
    readonly providers: Record<string, number>;
    readonly statuses: Record<string, number>;
  };
  readonly nextCursor?: string;
}

export interface MarketplaceStats {
  readonly apps: number;
  readonly actions: number;
  readonly triggers: number;
  /** Apps in each. */
  readonly categories: Record<string, number>;
  readonly providers: Record<string, number>;
  /** Apps of which this workspace has an active connection, or that it has only added. */
  readonly connected: number;
  readonly added: number;
  readonly lastSync?: string;
}

/** A synchronisation, as far as it is anybody's business. */
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

/** A workspace's wish to be told of an app's events. */
export interface TriggerSubscription {
  readonly id: string;
  readonly source: CatalogueSourceName;
  /** `GITHUB_COMMIT_EVENT` */
  readonly trigger: string;
  readonly app: string;
  readonly connectionId: string;
  /** The source's own id of it. */
  readonly externalId: string;
  readonly config: JsonObject;
  readonly createdAt: string;
}

/** An event as it was received. */
export type ReceivedEvent = Pick<TriggerEvent, 'id' | 'trigger' | 'app' | 'at' | 'payload'> & {
  readonly subscriptionId: string;
  /** Undefined only for events of a subscription that ended before accounts were kept with them. */
  readonly connectionId?: string;
  readonly receivedAt: string;
};

export interface SyncInput {
  readonly kind: SyncKind;
  /** Default `composio`. */
  readonly source?: CatalogueSourceName;
  /** Of `parameters`: apps to ask for at most. Default 30. */
  readonly limit?: number;
}

/** What the doors can ask of the catalogue. */
export interface MarketplaceActs {
  marketplace(principal: Principal, query: MarketplaceQuery): Promise<MarketplacePage>;
  marketplaceStats(principal: Principal): Promise<MarketplaceStats>;
  cacheStatus(principal: Principal): Promise<CacheStatus>;
  /** An app without accounts is used by the workspace from now on, or no more. Throws `not_found`, or `invalid_input` for one with accounts. */
  useToolkit(principal: Principal, toolkit: string, use: boolean): Promise<void>;
  /** Whether the app's tools act without an account. Throws `not_found`. */
  withoutAccounts(principal: Principal, toolkit: string): Promise<boolean>;
  /** The job that runs already, or a new one. Throws `conflict` for a source that is not configured. */
  synchronise(principal: Principal, input: SyncInput): Promise<{ readonly job: SyncReport; readonly created: boolean }>;
  /** Newest first. */
  syncJobs(principal: Principal, query: { readonly limit?: number }): Promise<SyncReport[]>;
  followSync(principal: Principal, jobId: string, signal: AbortSignal): AsyncIterable<SyncReport>;
  cancelSync(principal: Principal, jobId: string): Promise<SyncReport>;
  triggers(principal: Principal, app: string): Promise<readonly CatalogueTrigger[]>;
  subscriptions(principal: Principal): Promise<TriggerSubscription[]>;
  /** Throws `invalid_input` for a configuration that the trigger does not take. */
  subscribe(
    principal: Principal,
    input: { readonly trigger: string; readonly connection: string; readonly config?: JsonObject },
  ): Promise<TriggerSubscription>;
  unsubscribe(principal: Principal, subscriptionId: string): Promise<void>;
  /** Newest first. */
  triggerEvents(
    principal: Principal,
    query: { readonly subscription?: string; readonly limit?: number },
  ): Promise<ReceivedEvent[]>;
  /** What a source sent, signed. The same message twice is received once. Throws `unauthenticated` for a wrong signature, `not_found` for what nobody subscribed to. */
  receiveEvent(source: CatalogueSourceName, body: string, headers: Headers): Promise<{ readonly received: boolean }>;
  /** A browser comes back from a provider that keeps the account. Never throws for what came from outside. */
  finishHostedSignIn(callback: URLSearchParams): Promise<SignInEnd>;
}
