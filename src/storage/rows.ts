/** Converts rows to nouns and nouns to rows, with one pair of functions per table. */
import type { StoredApproval } from '../domain/approval.js';
import type { PendingIntent } from '../domain/audit.js';
import type { Grant, Policy, ToolkitSetting } from '../domain/grant.js';
import type { Agent, Credential, PrincipalRef, User, Workspace } from '../domain/principal.js';
import type { StoredResult } from '../domain/storage.js';
import { defined } from '../util/defined.js';
import {
  compact,
  decodeJson,
  encodeJson,
  encodeOptionalJson,
  encodeOptionalTime,
  encodePrincipal,
  encodeTime,
} from './codec.js';
import type {
  AgentRow,
  ApprovalRow,
  CredentialRow,
  GrantRow,
  IntentRow,
  PolicyRow,
  ResultRow,
  ToolkitSettingRow,
  UserRow,
  WorkspaceTableRow,
} from './schema.js';

type Row<T> = Omit<T, 'workspace_id'>;

export function toWorkspace(row: WorkspaceTableRow): Workspace {
  return { id: row.id, slug: row.slug, name: row.name, createdAt: row.created_at };
}

export function toUser(row: Row<UserRow>): User {
  const { id, name, role, status, created_at: createdAt } = row;
  return { id, name, role, status, createdAt, ...defined({ email: row.email ?? undefined }) };
}

export function fromUser(user: User): Row<UserRow> {
  const { id, name, role, status, email = null } = user;
  return { id, name, role, status, email, created_at: encodeTime(user.createdAt) };
}

export function toAgent(row: Row<AgentRow>): Agent {
  const { id, slug, name, created_at: createdAt, managed_by: managedBy } = row;
  return { id, slug, name, createdAt, managedBy, ...toToolMode(row), ...toWorker(row) };
}

/** Omits defaults. */
export function toToolMode({
  tool_mode: toolMode,
}: {
  readonly tool_mode: AgentRow['tool_mode'] | null;
}): Pick<Agent, 'toolMode'> {
  return toolMode === null || toolMode === 'auto' ? {} : { toolMode };
}

function toWorker({ worker }: Pick<AgentRow, 'worker'>): Pick<Agent, 'worker'> {
  return worker === 'helve' ? {} : { worker };
}

export function fromAgent(agent: Agent): Row<AgentRow> {
  const { id, slug, name, managedBy, toolMode = 'auto', worker = 'helve' } = agent;
  const created = encodeTime(agent.createdAt);
  return { id, slug, name, created_at: created, managed_by: managedBy, tool_mode: toolMode, worker };
}

export function toCredential(row: Row<CredentialRow>): Credential {
  return compact({
    id: row.id,
    kind: row.kind,
    principalId: row.principal_id,
    name: row.name,
    hash: row.hash,
    prefix: row.prefix,
    permissions: decodeJson<Credential['permissions']>(row.permissions),
    role: row.role,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    authorizationId: row.authorization_id,
    parentId: row.parent_id,
    lastUsedAt: row.last_used_at,
  });
}

export function fromCredential(credential: Credential): Row<CredentialRow> {
  return {
    id: credential.id,
    kind: credential.kind,
    principal_id: credential.principalId,
    name: credential.name,
    hash: credential.hash,
    prefix: credential.prefix,
    permissions: encodeJson(credential.permissions),
    role: credential.role ?? null,
    created_at: encodeTime(credential.createdAt),
    expires_at: encodeOptionalTime(credential.expiresAt),
    revoked_at: encodeOptionalTime(credential.revokedAt),
    authorization_id: credential.authorizationId ?? null,
    parent_id: credential.parentId ?? null,
    last_used_at: encodeOptionalTime(credential.lastUsedAt),
  };
}

/** Reads grants. Equal parts are one value in all of them: there can be very many, most of them alike. */
export function createGrantReader(): (row: Row<GrantRow>) => Grant {
  const text = shared((known) => known);
  const json = shared((known) => JSON.parse(known));
  return (row) =>
    compact({
      id: row.id,
      agentId: text<string>(row.agent_id),
      toolkit: text<string>(row.toolkit),
      connectionId: row.connection_id && text<string>(row.connection_id),
      tools: json<Grant['tools']>(row.tools),
      limits: json<Grant['limits']>(row.limits),
      config: json<Grant['config']>(row.config),
    });
}

function shared(read: (text: string) => unknown) {
  const values = new Map<string, unknown>();
  return <T>(text: string): T => {
    if (!values.has(text)) values.set(text, read(text));
    return values.get(text) as T;
  };
}

export function fromGrant(grant: Grant, position: number): Row<GrantRow> {
  return {
    id: grant.id,
    agent_id: grant.agentId,
    position,
    toolkit: grant.toolkit,
    connection_id: grant.connectionId ?? null,
    tools: encodeJson(grant.tools),
    limits: encodeJson(grant.limits),
    config: encodeJson(grant.config),
  };
}

export function toPolicy(row: Row<PolicyRow>): Policy {
  return compact({
    id: row.id,
    effect: row.effect,
    when: decodeJson<Policy['when']>(row.conditions),
    rateLimit: row.rate_limit === null ? null : decodeJson<NonNullable<Policy['rateLimit']>>(row.rate_limit),
    reason: row.reason,
    elicitation: row.elicitation === null ? null : row.elicitation === 1,
  });
}

export function fromPolicy(policy: Policy, position: number): Row<PolicyRow> {
  return {
    id: policy.id,
    position,
    effect: policy.effect,
    conditions: encodeJson(policy.when),
    rate_limit: encodeOptionalJson(policy.rateLimit),
    reason: policy.reason ?? null,
    elicitation: policy.elicitation === undefined ? null : policy.elicitation ? 1 : 0,
  };
}

export function toToolkitSetting(row: Row<ToolkitSettingRow>): ToolkitSetting {
  return compact({
    toolkit: row.toolkit,
    enabled: row.enabled === 1,
    enabledTools: row.enabled_tools === null ? null : decodeJson<string[]>(row.enabled_tools),
  });
}

export function fromToolkitSetting(setting: ToolkitSetting): Row<ToolkitSettingRow> {
  return {
    toolkit: setting.toolkit,
    enabled: setting.enabled ? 1 : 0,
    enabled_tools: encodeOptionalJson(setting.enabledTools),
  };
}

export function toApproval(row: Row<ApprovalRow>): StoredApproval {
  return compact({
    id: row.id,
    binding: row.binding,
    status: row.status,
    principal: decodeJson<PrincipalRef>(row.principal),
    toolkit: row.toolkit,
    tool: row.tool,
    connectionId: row.connection_id,
    arguments: decodeJson<StoredApproval['arguments']>(row.arguments),
    policyVersion: row.policy_version,
    rule: row.rule,
    reason: row.reason,
    requestedAt: row.requested_at,
    expiresAt: row.expires_at,
    decidedAt: row.decided_at,
    decidedBy: row.decided_by === null ? null : decodeJson<PrincipalRef>(row.decided_by),
    decidedThrough: row.decided_through,
    executionId: row.execution_id,
    onBehalfOf: row.on_behalf_of === null ? null : decodeJson<PrincipalRef>(row.on_behalf_of),
    sealed: row.sealed,
    elicitation: row.elicitation === 1,
    note: row.note,
    meaning: row.meaning,
  });
}

export function fromApproval(approval: StoredApproval): Row<ApprovalRow> {
  return {
    id: approval.id,
    binding: approval.binding,
    status: approval.status,
    principal: encodePrincipal(approval.principal),
    toolkit: approval.toolkit,
    tool: approval.tool,
    connection_id: approval.connectionId ?? null,
    arguments: encodeJson(approval.arguments),
    policy_version: approval.policyVersion,
    rule: approval.rule,
    reason: approval.reason,
    requested_at: encodeTime(approval.requestedAt),
    expires_at: encodeTime(approval.expiresAt),
    decided_at: encodeOptionalTime(approval.decidedAt),
    decided_by: approval.decidedBy === undefined ? null : encodePrincipal(approval.decidedBy),
    decided_through: approval.decidedThrough ?? null,
    execution_id: approval.executionId ?? null,
    on_behalf_of: approval.onBehalfOf === undefined ? null : encodePrincipal(approval.onBehalfOf),
    sealed: approval.sealed ?? null,
    elicitation: approval.elicitation ? 1 : 0,
    note: approval.note ?? null,
    run_id: approval.runId ?? null,
    meaning: approval.meaning ?? null,
  };
}

export function toResult(row: Row<ResultRow>): StoredResult {
  const { handle, toolkit, tool } = row;
  return {
    ...compact({ handle, executionId: row.execution_id, caller: row.principal_id, toolkit, tool }),
    ...compact({ connectionId: row.connection_id }),
    ...compact({ input: row.input === null ? null : decodeJson<NonNullable<StoredResult['input']>>(row.input) }),
    value: decodeJson(row.value),
    expiresAt: row.expires_at,
  };
}

export function fromResult(result: StoredResult): Row<ResultRow> {
  return {
    handle: result.handle,
    execution_id: result.executionId,
    principal_id: result.caller,
    toolkit: result.toolkit,
    tool: result.tool,
    connection_id: result.connectionId ?? null,
    value: result.json ?? encodeJson(result.value),
    input: encodeOptionalJson(result.input),
    expires_at: encodeTime(result.expiresAt),
  };
}

export function toIntent(row: IntentRow): PendingIntent {
  return {
    workspaceId: row.workspace_id,
    executionId: row.execution_id,
    tool: row.tool,
    actor: decodeJson<PrincipalRef>(row.actor),
    startedAt: row.started_at,
    instanceId: row.instance_id,
  };
}
