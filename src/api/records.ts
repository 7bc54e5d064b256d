/** Approvals, the audit record and credentials over HTTP: the shapes of what happened. */
import { z } from 'zod';
import type { AuditEventType } from '../domain/audit.js';
import { unreadyReasons } from '../domain/readiness.js';
import {
  actingAccount,
  approvalStatus,
  errorBody,
  jsonObject,
  namedShapes,
  permission,
  policy,
  principalRef,
  role,
} from './shapes.js';

const timestamp = z.string().describe('ISO 8601, UTC');

const eventTypes: Readonly<Record<AuditEventType, true>> = {
  'execution.started': true,
  'execution.finished': true,
  'execution.refused': true,
  'execution.interrupted': true,
  'execution.stop_requested': true,
  'run.started': true,
  'run.refused': true,
  'run.waiting': true,
  'run.resumed': true,
  'run.decided': true,
  'run.finished': true,
  'approval.requested': true,
  'approval.decided': true,
  'approval.withdrawn': true,
  'grants.replaced': true,
  'policies.replaced': true,
  'toolkit.changed': true,
  'connection.added': true,
  'connection.changed': true,
  'connection.started': true,
  'connection.connected': true,
  'connection.checked': true,
  'connection.failed': true,
  'connection.disconnected': true,
  'connection.removed': true,
  'auth_config.changed': true,
  'vault.rotated': true,
  'definition.pinned': true,
  'definition.decided': true,
  'sync.started': true,
  'sync.cancelled': true,
  'sync.finished': true,
  'trigger.subscribed': true,
  'trigger.unsubscribed': true,
  'issue.created': true,
  'issue.changed': true,
  'issue.commented': true,
  'issue.assigned': true,
  'issue.unassigned': true,
  'issue.retried': true,
  'issue.cancelled': true,
  'issue.check_decided': true,
  'tool_config.changed': true,
  'task_place.changed': true,
  'card.moved': true,
  'merge.ordered': true,
  'merge.called_off': true,
  'billing_period.started': true,
  'task_source.created': true,
  'task_source.removed': true,
  'recipe.changed': true,
  'recipe.removed': true,
  'record.archived': true,
  'store.backed_up': true,
  'store.restored': true,
  'store.moved': true,
  'notification_channel.created': true,
  'notification_channel.changed': true,
  'notification_channel.removed': true,
  'notification_choice.changed': true,
  'notification.sent': true,
  'notification.given_up': true,
  'workspace.created': true,
  'agent.created': true,
  'agent.changed': true,
  'agent.removed': true,
  'user.created': true,
  'user.changed': true,
  'user.removed': true,
  'credential.created': true,
  'credential.used': true,
  'credential.revoked': true,
  'authorization.granted': true,
  'authorization.refused': true,
  'authorization.ended': true,
  'request.refused': true,
};
export const auditEventType = z.enum(Object.keys(eventTypes) as [AuditEventType, ...AuditEventType[]]);

export const approval = z.object({
  id: z.string(),
  binding: z.string().describe('SHA-256 over principal, tool, connection, arguments and policy version'),
  status: approvalStatus,
  principal: principalRef,
  onBehalfOf: principalRef.optional(),
  toolkit: z.string(),
  tool: z.string(),
  connectionId: z.string().optional(),
  arguments: jsonObject.describe('Exact for callers who may decide; redacted for others'),
  exact: z.boolean().optional().describe('Whether the arguments are the exact ones'),
  account: actingAccount.optional(),
  policyVersion: z.number(),
  rule: z.string(),
  reason: z.string(),
  requestedAt: timestamp,
  expiresAt: timestamp,
  decidedAt: timestamp.optional(),
  decidedBy: principalRef.optional(),
  decidedThrough: z.enum(['api', 'page', 'panel', 'slack', 'elicitation']).optional(),
  note: z.string().optional().describe('What the person who decided says to the caller, or why it was withdrawn'),
  executionId: z.string().optional(),
  elicitation: z.boolean().describe('Whether the calling program may give the answer'),
  lastApproved: z
    .object({
      id: z.string(),
      arguments: jsonObject,
      exact: z.boolean().optional(),
      requestedAt: timestamp,
      decidedAt: timestamp.optional(),
      decidedBy: principalRef.optional(),
    })
    .optional()
    .describe('Only for a single approval: the last approved call of the same tool, caller and account'),
});
namedShapes.add(approval, { id: 'Approval' });

const count = z.int();
export const approvalCounts = z
  .object({ pending: count, approved: count, rejected: count, used: count })
  .describe('Under the same filters, except the status');

export const decisionOutcomes = z.object({
  decided: z.array(z.union([z.object({ id: z.string(), approval }), z.object({ id: z.string(), error: errorBody })])),
});
namedShapes.add(decisionOutcomes, { id: 'DecisionOutcomes' });

export const auditEvent = z.object({
  type: auditEventType,
  at: timestamp,
  actor: principalRef,
  onBehalfOf: principalRef.optional(),
  executionId: z.string().optional(),
  tool: z.string().optional(),
  body: jsonObject,
  workspaceId: z.string(),
  seq: z.number(),
  hash: z.string(),
});
namedShapes.add(auditEvent, { id: 'AuditEvent' });

const chainPoint = z.object({ seq: z.number(), hash: z.string() });
const firstBroken = z.object({
  seq: z.number(),
  problem: z.string(),
  event: auditEvent
    .pick({ type: true, at: true, actor: true, tool: true, executionId: true })
    .optional()
    .describe('The row as it stands in the store now; absent if there is none'),
});

const archived = chainPoint
  .optional()
  .describe('The last row that is in a signed archive and no longer in the store: the check began after it');

export const chainReport = z.object({
  ok: z.boolean(),
  rows: z.number(),
  firstBroken: firstBroken.optional(),
  head: chainPoint,
  archived,
});
namedShapes.add(chainReport, { id: 'ChainReport' });

const checkpointed = {
  checked: z.number().describe('The number of the last verified row'),
  checkpoint: z
    .string()
    .optional()
    .describe('A later check goes on from here; it is also the id of the event. Absent where there is no vault key'),
};
export const chainProgress = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('progress'),
    ...checkpointed,
    total: z.number().describe('The number of the row at which the chain ended when the check began'),
  }),
  z.object({
    type: z.literal('done'),
    ...checkpointed,
    ok: z.boolean(),
    firstBroken: firstBroken.optional(),
    head: chainPoint,
    archived,
    earlier: z
      .object({ seq: z.number(), at: timestamp })
      .optional()
      .describe('The rows up to this one were verified at that time, not now'),
  }),
]);
namedShapes.add(chainProgress, { id: 'ChainProgress' });

export const partialChain = 'Not a whole chain: rows are left out, so it cannot be verified';
export const partialExport = z
  .object({
    partial: z.object({ filter: jsonObject, order: z.literal('newest first'), chain: z.literal(partialChain) }),
  })
  .describe('The first line of a filtered export');
namedShapes.add(partialExport, { id: 'PartialExport' });

export const credential = z.object({
  id: z.string(),
  kind: z.enum(['agent_token', 'user_token', 'refresh_token', 'api_key', 'admin_link', 'session']),
  principalId: z.string(),
  name: z.string(),
  prefix: z.string(),
  permissions: z.array(permission),
  role: role.optional().describe('Of a key: its permissions follow from it'),
  createdAt: timestamp,
  expiresAt: timestamp.optional(),
  revokedAt: timestamp.optional(),
  authorizationId: z
    .string()
    .optional()
    .describe('The authorisation of a program; revoking it ends all its credentials'),
  parentId: z.string().optional().describe('The API key that created it; it ends no later than that key'),
  lastUsedAt: timestamp.optional().describe('Only for sessions'),
});
namedShapes.add(credential, { id: 'Credential' });

export const issuedCredential = z
  .object({ credential, secret: z.string() })
  .describe('The secret is shown only once; only its hash is stored');
namedShapes.add(issuedCredential, { id: 'IssuedCredential' });

const policyWithoutEffect = z.object({
  policy: z.string().describe('Id of the policy'),
  path: z.string().describe('Which of its conditions: when/tools/0'),
  message: z.string(),
  nearest: z.string().optional().describe('The most similar name'),
  doubtful: z
    .literal(true)
    .optional()
    .describe('A call can match, but no tool lists the argument: its name may be misspelt'),
});
namedShapes.add(policyWithoutEffect, { id: 'PolicyWithoutEffect' });

export const policySet = z.object({
  version: z.number(),
  policies: z.array(policy),
  withoutEffect: z.array(policyWithoutEffect).describe('Rules that no call can match at present, and doubtful ones'),
});
namedShapes.add(policySet, { id: 'PolicySet' });

/** What the server's machine can enforce. */
export const machineCheck = z.object({ check: z.string(), ok: z.boolean(), detail: z.string() });
namedShapes.add(machineCheck, { id: 'MachineCheck' });

export const readiness = z.object({
  status: z.enum(['ready', 'not_ready']),
  reason: z
    .enum(unreadyReasons)
    .optional()
    .describe('Why requests should go to another process now; absent if this one takes them'),
});

export const health = z.object({ status: z.enum(['ok', 'unavailable']) });
