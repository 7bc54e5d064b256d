/**
 * The tables as the query layer sees them. Both dialects have exactly these columns: text, integers, JSON as text,
 * times as ISO 8601 text, booleans as 0 and 1.
 */
import type { ApprovalStatus, DecisionRoute } from '../domain/approval.js';
import type { AuditEventType, StepKind } from '../domain/audit.js';
import type { AuthorizationStatus } from '../domain/authorization.js';
import type { ConnectionStatus, ConnectionVisibility } from '../domain/connection.js';
import type { PolicyEffect } from '../domain/grant.js';
import type { Agent, CredentialKind, PrincipalKind, Role, User } from '../domain/principal.js';
import type { StoredRun } from '../domain/storage.js';
import type { ActorSchema } from './actor-schema.js';
import type { CatalogueSchema, TriggerEventRow, TriggerSubscriptionRow } from './catalogue-schema.js';
import type { IssueSchema } from './issue-schema.js';
import type { NotificationSchema } from './notification-schema.js';
import type { TenantRow } from './tenant-row.js';

export interface WorkspaceTableRow {
  id: string;
  slug: string;
  name: string;
  created_at: string;
  revision: number;
  policy_version: number;
  audit_seq: number;
  audit_hash: string;
}

export interface UserRow extends TenantRow {
  id: string;
  name: string;
  role: User['role'];
  email: string | null;
  status: User['status'];
  created_at: string;
}

export interface IdentityRow extends TenantRow {
  issuer: string;
  subject: string;
  user_id: string;
  created_at: string;
}

export interface McpSessionRow extends TenantRow {
  id: string;
  owner: string;
  credential_id: string | null;
  hello: string;
  wishes: string;
  used_at: string;
  expires_at: string;
}

export interface McpMessageRow extends TenantRow {
  /** Given by the store, in the order of insertion. */
  number: number;
  id: string;
  session_id: string;
  body: string;
  expires_at: string;
}

export interface FinishedSignInRow {
  state_hash: string;
  expires_at: string;
}

export interface AgentRow extends TenantRow {
  id: string;
  slug: string;
  name: string;
  created_at: string;
  managed_by: Agent['managedBy'];
  tool_mode: NonNullable<Agent['toolMode']>;
  worker: NonNullable<Agent['worker']>;
}

export interface CredentialRow extends TenantRow {
  id: string;
  kind: CredentialKind;
  principal_id: string;
  name: string;
  hash: string;
  prefix: string;
  permissions: string;
  role: Role | null;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  authorization_id: string | null;
  parent_id: string | null;
  last_used_at: string | null;
}

export interface GrantRow extends TenantRow {
  id: string;
  agent_id: string;
  position: number;
  toolkit: string;
  connection_id: string | null;
  tools: string;
  limits: string;
  config: string;
}

export interface PolicyRow extends TenantRow {
  id: string;
  position: number;
  effect: PolicyEffect;
  conditions: string;
  rate_limit: string | null;
  reason: string | null;
  elicitation: number | null;
}

export interface ToolkitSettingRow extends TenantRow {
  toolkit: string;
  enabled: number;
  enabled_tools: string | null;
}

export interface ApprovalRow extends TenantRow {
  id: string;
  binding: string;
  status: ApprovalStatus;
  principal: string;
  toolkit: string;
  tool: string;
  connection_id: string | null;
  arguments: string;
  policy_version: number;
  rule: string;
  reason: string;
  requested_at: string;
  expires_at: string;
  decided_at: string | null;
  decided_by: string | null;
  decided_through: DecisionRoute | null;
  execution_id: string | null;
  on_behalf_of: string | null;
  sealed: string | null;
  elicitation: number;
  note: string | null;
  run_id: string | null;
  meaning: string | null;
}

export interface AuditEventRow extends TenantRow {
  seq: number;
  at: string;
  type: AuditEventType;
  execution_id: string | null;
  tool: string | null;
  actor_kind: PrincipalKind;
  actor_id: string;
  actor_name: string;
  on_behalf_of: string | null;
  body: string;
  hash: string;
}

/** See `record-archives.ts`. */
export interface RecordArchiveRow extends TenantRow {
  first_seq: number;
  previous_hash: string;
  last_seq: number;
  last_hash: string;
  first_at: string;
  last_at: string;
  content_hash: string;
  signature: string;
  archived_at: string;
}

/** See `audit-blocks.ts`. */
export interface AuditBlockRow extends TenantRow {
  block: number;
  first_at: string;
  last_at: string;
  names: Uint8Array | ArrayBuffer;
  texts: Uint8Array | ArrayBuffer;
}

/** See `call-blocks.ts`. */
export interface CallBlockRow extends TenantRow {
  block: number;
  calls: string;
}

export interface IntentRow extends TenantRow {
  execution_id: string;
  tool: string;
  actor: string;
  started_at: string;
  instance_id: string;
  stop_requested: number;
}

export interface InstanceTableRow {
  id: string;
  host: string;
  pid: number;
  start_token: string;
  seen_at: string;
  /** The schema that the process knows; null for one from before version 33. */
  schema_version: number | null;
}

export interface KeyValueRow extends TenantRow {
  namespace: string;
  key: string;
  value: string;
  expires_at: string | null;
}

export interface ResultRow extends TenantRow {
  handle: string;
  execution_id: string;
  principal_id: string;
  toolkit: string;
  tool: string;
  connection_id: string | null;
  value: string;
  input: string | null;
  expires_at: string;
}

export interface LearnedTypeRow extends TenantRow {
  toolkit: string;
  tool: string;
  definition: string;
  answers: number;
  shape: string;
  updated_at: string;
}

export interface DocumentSpaceRow extends TenantRow {
  space: string;
  revision: number;
}

export interface DocumentRow extends TenantRow {
  space: string;
  path: string;
  media_type: string;
  hash: string;
  version: number;
  updated_at: string;
  content: string;
}

export interface ConnectionRow extends TenantRow {
  id: string;
  toolkit: string;
  name: string;
  slug: string;
  status: ConnectionStatus;
  reason: string | null;
  visibility: ConnectionVisibility;
  owner_id: string;
  scheme: string;
  settings: string;
  account: string | null;
  scopes: string | null;
  created_at: string;
  connected_at: string | null;
}

export interface SecretRow extends TenantRow {
  subject: string;
  sealed: string;
  key_id: string;
  version: number;
  expires_at: string | null;
  updated_at: string;
  lock_holder: string | null;
  lock_until: string | null;
  retry_at: string | null;
  retry_since: string | null;
  retry_failures: number;
}

export interface OAuthFlowRow extends TenantRow {
  id: string;
  connection_id: string;
  ticket_hash: string;
  state_hash: string;
  browser_hash: string | null;
  sealed: string;
  key_id: string;
  started_by: string;
  created_at: string;
  expires_at: string;
}

export interface AuthConfigRow extends TenantRow {
  provider: string;
  client_id: string;
  overrides: string;
  updated_at: string;
}

export interface DefinitionPinRow extends TenantRow {
  toolkit: string;
  tool: string;
  hash: string;
  definition: string;
  pinned_at: string;
}

export interface OAuthClientRow {
  id: string;
  name: string;
  redirect_uris: string;
  created_at: string;
  expires_at: string | null;
}

export interface AuthorizationRow extends TenantRow {
  id: string;
  status: AuthorizationStatus;
  client_id: string;
  client_name: string;
  redirect_uri: string;
  agent_id: string | null;
  person: string;
  resource: string;
  scopes: string;
  challenge: string;
  state: string | null;
  secret_hash: string;
  created_at: string;
  expires_at: string;
  parent_id: string | null;
  exchanged_at: string | null;
}

export interface RunRow extends TenantRow {
  id: string;
  principal_id: string;
  principal: string;
  mode: StoredRun['mode'];
  status: StoredRun['status'];
  code: string;
  tools: string;
  declarations: string;
  replay_version: number;
  policy_version: number;
  seed: number;
  limits: string;
  intent: string | null;
  idempotency_key: string | null;
  plan: string | null;
  planned: string | null;
  owner: string | null;
  lease: number;
  takeovers: string;
  waits: string;
  wake_at: string | null;
  value: string | null;
  logs: string;
  error: string | null;
  issues: string | null;
  started_at: string;
  finished_at: string | null;
  expires_at: string | null;
}

export interface RunStepRow extends TenantRow {
  run_id: string;
  kind: StepKind;
  number: number;
  tool: string;
  input_hash: string;
  execution_id: string;
  attempts: number;
  started_at: string;
  answer: string | null;
  position: number | null;
  answered_at: string | null;
  cleared: number;
  planned: number | null;
}

export interface PlanUseRow extends TenantRow {
  run_id: string;
  number: number;
  execution_id: string;
}

export interface ConfigurationChangeRow extends TenantRow {
  revision: number;
  part: string;
  item: string;
}

export interface Schema extends CatalogueSchema, ActorSchema, IssueSchema, NotificationSchema {
  workspaces: WorkspaceTableRow;
  users: UserRow;
  identities: IdentityRow;
  finished_sign_ins: FinishedSignInRow;
  agents: AgentRow;
  credentials: CredentialRow;
  grants: GrantRow;
  policies: PolicyRow;
  toolkit_settings: ToolkitSettingRow;
  approvals: ApprovalRow;
  audit_events: AuditEventRow;
  audit_blocks: AuditBlockRow;
  record_archives: RecordArchiveRow;
  mcp_sessions: McpSessionRow;
  mcp_messages: McpMessageRow;
  call_blocks: CallBlockRow;
  intents: IntentRow;
  instances: InstanceTableRow;
  key_values: KeyValueRow;
  results: ResultRow;
  learned_types: LearnedTypeRow;
  runs: RunRow;
  run_steps: RunStepRow;
  plan_uses: PlanUseRow;
  document_spaces: DocumentSpaceRow;
  documents: DocumentRow;
  connections: ConnectionRow;
  secrets: SecretRow;
  oauth_flows: OAuthFlowRow;
  auth_configs: AuthConfigRow;
  definition_pins: DefinitionPinRow;
  configuration_changes: ConfigurationChangeRow;
  oauth_clients: OAuthClientRow;
  authorizations: AuthorizationRow;
  trigger_subscriptions: TriggerSubscriptionRow;
  trigger_events: TriggerEventRow;
}

/** Tables in which every row belongs to one workspace. */
export type TenantTable = Exclude<
  keyof Schema,
  'workspaces' | 'instances' | 'oauth_clients' | 'finished_sign_ins' | 'actor_driver' | keyof CatalogueSchema
>;
