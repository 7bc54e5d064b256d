/** The server's state, and what a test may set. Items have the shapes of Composio's OpenAPI document. */
import type { IncomingHttpHeaders } from 'node:http';

export interface ToolkitItem {
  slug: string;
  name: string;
  auth_schemes: string[];
  composio_managed_auth_schemes: string[];
  is_local_toolkit: boolean;
  no_auth: boolean;
  deprecated: { toolkitId: string };
  meta: {
    description: string;
    logo: string;
    app_url?: string | null;
    categories: { id: string; name: string }[];
    created_at: string;
    updated_at: string;
    triggers_count: number;
    tools_count: number;
    version: string;
  };
}

export interface ToolItem {
  slug: string;
  name: string;
  description: string;
  toolkit: { slug: string; name: string; logo: string };
  input_parameters: Record<string, unknown>;
  output_parameters: Record<string, unknown>;
  no_auth: boolean;
  available_versions: string[];
  version: string;
  scopes: string[];
  tags: string[];
  is_deprecated: boolean;
  deprecated: Record<string, unknown>;
}

export interface TriggerItem {
  slug: string;
  name: string;
  description: string;
  instructions: string;
  type: string;
  toolkit: { slug: string; name: string; logo: string };
  config: Record<string, unknown>;
  payload: Record<string, unknown>;
  version: string;
}

export interface ComposioData {
  readonly toolkits: readonly ToolkitItem[];
  readonly tools: readonly ToolItem[];
  readonly triggers: readonly TriggerItem[];
}

export interface AuthConfigRow {
  id: string;
  toolkit: string;
  scheme: string;
  managed: boolean;
  status: 'ENABLED' | 'DISABLED';
  credentials: Record<string, unknown>;
  name: string | undefined;
}

export type AccountStatus = 'INITIALIZING' | 'INITIATED' | 'ACTIVE' | 'FAILED' | 'EXPIRED' | 'INACTIVE';

export interface AccountRow {
  id: string;
  authConfigId: string;
  toolkit: string;
  scheme: string;
  userId: string;
  /** A test may set it, as Composio would. */
  status: AccountStatus;
  statusReason: string | null;
  callbackUrl: string | undefined;
  /** Tokens and fields: Composio returns them, and Helve must not store them. */
  values: Record<string, unknown>;
}

export interface TriggerRow {
  id: string;
  slug: string;
  accountId: string;
  userId: string;
  config: Record<string, unknown>;
  disabled: boolean;
}

export interface Execution {
  readonly tool: string;
  readonly body: Record<string, unknown>;
  readonly logId: string;
}

export interface SeenRequest {
  readonly method: string;
  /** Without its version: `/tools/execute/GITHUB_CREATE_AN_ISSUE`. */
  readonly path: string;
  readonly version: 'v3' | 'v3.1';
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** A fault for the next matching requests. */
export interface Fault {
  readonly when: (request: SeenRequest) => boolean;
  /** How many of them. Default 1. */
  readonly times?: number;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: an error in Composio's format. */
  readonly body?: unknown;
  /** The server acts, but the answer is lost. */
  readonly drop?: boolean;
  /** Delay of the answer. */
  readonly delayMs?: number;
}

/** What a tool does instead of echoing its arguments. `undefined`: it echoes. */
export type Behaviour = (
  execution: Execution,
) =>
  | { readonly data?: unknown; readonly error?: string; readonly delayMs?: number; readonly status?: number }
  | undefined;

export interface ComposioOptions {
  /** Whether a listing over all toolkits includes the parameters of the tools. Default `bulk`: it does. */
  readonly parameters?: 'bulk' | 'per-app';
  /** The API versions that exist; others answer 404. Default both. */
  readonly versions?: readonly ('v3' | 'v3.1')[];
  /** Answers have an ETag, and `If-None-Match` is supported. Default false. */
  readonly etag?: boolean;
  /** Default `ak_test`. */
  readonly apiKey?: string;
  /** How a person answers the consent question of the link page. Default `grant`. */
  readonly consent?: 'grant' | 'deny';
  /** Whether `connected_accounts/link` exists. Default true. */
  readonly link?: boolean;
  readonly behaviour?: Behaviour;
}

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  /** The body's text, if it is serialised already. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
