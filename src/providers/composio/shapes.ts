/** The fields that are read from Composio's responses. All others are ignored. */
import type { UnusableRow } from '../../domain/catalogue.js';
import type { JsonSchema } from '../../domain/json.js';
import type { Fields } from './answer-fields.js';

type Maybe<Value> = Value | null | undefined;

export interface ListedToolkit {
  readonly slug: string;
  readonly name?: Maybe<string>;
  readonly auth_schemes?: Maybe<readonly string[]>;
  readonly composio_managed_auth_schemes?: Maybe<readonly string[]>;
  readonly no_auth?: Maybe<boolean>;
  readonly status?: Maybe<string>;
  readonly meta?: Maybe<ToolkitMeta>;
}

interface ToolkitMeta {
  readonly description?: Maybe<string>;
  readonly logo?: Maybe<string>;
  readonly app_url?: Maybe<string>;
  readonly categories?: Maybe<readonly { readonly name?: Maybe<string> }[]>;
  readonly updated_at?: Maybe<string>;
  readonly version?: Maybe<string>;
  readonly tools_count?: Maybe<number>;
  readonly triggers_count?: Maybe<number>;
}

export const toolkitFields: Fields = [
  ...([
    ['slug', 'text!'],
    ['name', 'text'],
    ['auth_schemes', 'texts'],
  ] as const),
  ...([
    ['composio_managed_auth_schemes', 'texts'],
    ['no_auth', 'boolean'],
    ['status', 'text'],
  ] as const),
  ['meta', 'object'],
];

export const metaFields: Fields = [
  ...([
    ['description', 'text'],
    ['logo', 'text'],
    ['app_url', 'text'],
    ['categories', 'list'],
  ] as const),
  ...([
    ['updated_at', 'text'],
    ['version', 'text'],
    ['tools_count', 'number'],
    ['triggers_count', 'number'],
  ] as const),
];

export const categoryFields: Fields = [['name', 'text']];

export interface ToolkitRef {
  readonly slug: string;
}

export const refFields: Fields = [['slug', 'text!']];

export interface ListedTool {
  readonly slug: string;
  readonly name?: Maybe<string>;
  readonly description?: Maybe<string>;
  readonly toolkit?: Maybe<ToolkitRef>;
  readonly tags?: Maybe<readonly string[]>;
  readonly scopes?: Maybe<readonly string[]>;
  readonly version?: Maybe<string>;
  readonly no_auth?: Maybe<boolean>;
  readonly is_deprecated?: Maybe<boolean>;
  readonly input_parameters?: Maybe<JsonSchema>;
  readonly output_parameters?: Maybe<JsonSchema>;
}

export const toolFields: Fields = [
  ...([
    ['slug', 'text!'],
    ['name', 'text'],
    ['description', 'text'],
    ['toolkit', 'object'],
  ] as const),
  ...([
    ['tags', 'texts'],
    ['scopes', 'texts'],
    ['version', 'text'],
    ['no_auth', 'boolean'],
  ] as const),
  ...([
    ['is_deprecated', 'boolean'],
    ['input_parameters', 'object'],
    ['output_parameters', 'object'],
  ] as const),
];

export interface ListedTriggerType {
  readonly slug: string;
  readonly name?: Maybe<string>;
  readonly description?: Maybe<string>;
  readonly instructions?: Maybe<string>;
  readonly type?: Maybe<string>;
  readonly toolkit?: Maybe<ToolkitRef>;
  readonly config?: Maybe<JsonSchema>;
  readonly payload?: Maybe<JsonSchema>;
}

export const triggerTypeFields: Fields = [
  ...([
    ['slug', 'text!'],
    ['name', 'text'],
    ['description', 'text'],
    ['instructions', 'text'],
    ['type', 'text'],
  ] as const),
  ...([
    ['toolkit', 'object'],
    ['config', 'object'],
    ['payload', 'object'],
  ] as const),
];

/** How an app signs in, and the fields of each scheme. */
export interface ToolkitDetails {
  readonly slug: string;
  readonly managed: readonly string[];
  readonly ways: readonly SignInWay[];
}

export interface SignInWay {
  /** `OAUTH2`, `API_KEY` */
  readonly scheme: string;
  /** Of the app as a whole: a client id and its secret. */
  readonly creation: WayFields;
  /** Of one account: an API key, a subdomain. */
  readonly initiation: WayFields;
}

export interface WayFields {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

export const detailsFields: Fields = [
  ['slug', 'text!'],
  ['composio_managed_auth_schemes', 'texts'],
  ['auth_config_details', 'list'],
];

export const wayFields: Fields = [
  ['mode', 'text!'],
  ['fields', 'object'],
];

export const namedFields: Fields = [['name', 'text!']];

export interface AuthConfig {
  readonly id: string;
  readonly name?: Maybe<string>;
  readonly auth_scheme?: Maybe<string>;
  readonly is_composio_managed?: Maybe<boolean>;
  readonly status?: Maybe<string>;
  readonly toolkit?: Maybe<ToolkitRef>;
}

export const authConfigFields: Fields = [
  ...([
    ['id', 'text!'],
    ['name', 'text'],
    ['auth_scheme', 'text'],
    ['is_composio_managed', 'boolean'],
  ] as const),
  ...([
    ['status', 'text'],
    ['toolkit', 'object'],
  ] as const),
];

/** Without `state`, `data` and `params`, which contain the tokens. */
export interface ConnectedAccount {
  readonly id: string;
  readonly status: string;
  readonly toolkit: string | undefined;
  readonly authConfigId: string | undefined;
  readonly reason: string | undefined;
  readonly disabled: boolean;
}

export const accountFields: Fields = [
  ...([
    ['id', 'text!'],
    ['status', 'text!'],
    ['toolkit', 'object'],
    ['auth_config', 'object'],
  ] as const),
  ...([
    ['status_reason', 'text'],
    ['is_disabled', 'boolean'],
  ] as const),
];

export interface TriggerInstance {
  readonly id: string;
  readonly trigger: string;
  readonly connectedAccountId: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly enabled: boolean;
}

export const triggerInstanceFields: Fields = [
  ...([
    ['id', 'text!'],
    ['trigger_name', 'text!'],
    ['connected_account_id', 'text!'],
  ] as const),
  ...([
    ['trigger_config', 'object'],
    ['disabled_at', 'text'],
  ] as const),
];

/** One page of a listing. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next?: string;
  readonly total?: number;
  /** Invalid rows, with the reason for each. */
  readonly leftOut: readonly UnusableRow[];
}

export const pageFields: Fields = [
  ['items', 'list!'],
  ['next_cursor', 'text'],
];
