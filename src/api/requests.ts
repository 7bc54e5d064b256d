/** Request shapes. They are strict, so that a misspelt property is an error instead of being ignored. */
import { z } from 'zod';
import { workerKinds } from '../domain/worker-kind.js';
import { auditEventType } from './records.js';
import { approvalStatus, jsonObject, namedShapes, permission, policy, role, timestamp } from './shapes.js';

const limit = z.coerce.number().int().min(1).max(500).optional();
export const text = z.string().min(1).max(500);
/** Several texts in one query parameter: `a,b`. */
export const commaList = z
  .string()
  .min(1)
  .max(2_000)
  .regex(/^[^,]+(,[^,]+)*$/);
export const idempotencyKey = z.string().min(1).max(200);
export const agentField = text.optional().describe('Slug or id of the agent to act as; needs agents:act');

export const asAgentQuery = z.strictObject({ agent: agentField });

const categories = text
  .optional()
  .describe(
    'Categories of toolkits, separated by commas: all callable tools of these, even if the agent sees only the meta-tools',
  );

export const listQuery = asAgentQuery.extend({
  categories,
  all: z.enum(['true', 'false']).optional().describe('All callable tools, even if the agent sees only the meta-tools'),
});

export const exportQuery = asAgentQuery.extend({
  categories,
  format: z.enum(['openai', 'openai-responses', 'anthropic', 'mcp']).describe('The format of the list'),
});

export const accessQuery = z.strictObject({
  tool: text,
  agent: text.optional(),
  input: z
    .string()
    .max(100_000)
    .optional()
    .describe('The arguments as JSON, to check this exact call instead of any call'),
});

export const executeBody = z.strictObject({
  tool: text.describe('Any form of the name, usually the model-facing one'),
  input: z.unknown().optional().describe('The arguments; default: an empty object'),
  agent: agentField,
  approvalId: text.optional().describe('An approval given for this exact call'),
  intent: z
    .string()
    .max(2_000)
    .optional()
    .describe('What the person asked for, in their words: a tool that does something else is refused'),
  idempotencyKey: idempotencyKey
    .optional()
    .describe(
      'However often the same call is sent with the same key, it is made once and each answer is the first one; also as the header Idempotency-Key',
    ),
});
namedShapes.add(executeBody, { id: 'ExecuteRequest' });

export const shapeQuery = z.strictObject({
  as: z
    .enum(['panel'])
    .optional()
    .describe('`panel` adds the result as one typed widget: table, text, image, file, diff or error'),
});

export const executionsQuery = z.strictObject({
  tool: text.optional(),
  status: z.enum(['ok', 'failed', 'refused', 'interrupted']).optional(),
  actor: text.optional().describe('The id of the agent, person or key that called'),
  connection: text.optional().describe('The id of the account that acted'),
  rule: text.optional().describe('The rule that refused it'),
  text: text.optional().describe('Words that the record of its end has'),
  since: timestamp.optional(),
  until: timestamp.optional(),
  before: z.coerce.number().int().min(1).optional().describe('`next` of the previous page: calls that ended earlier'),
  limit,
});
export const executionParams = z.object({ executionId: text });
export const toolkitParams = z.object({ toolkit: text });
export const toolkitToolParams = z.object({ toolkit: text, tool: text });
export const pageQuery = z.strictObject({
  search: z.string().max(500).optional().describe('Words that its name, title or description has'),
  after: text.optional().describe('`next` of the previous page'),
  before: text.optional().describe('`previous` of the next page'),
  limit,
});
export const grantsQuery = z.strictObject({
  descriptions: z.enum(['full', 'short']).optional().describe('short: the first sentence; default: full'),
});
export const agentsQuery = z.strictObject({
  search: z.string().max(500).optional().describe('Words that its name or slug has'),
  after: text.optional().describe('`next` of the previous page'),
  before: text.optional().describe('`previous` of the next page'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(500)
    .optional()
    .describe('Without any of these: all agents, without counts'),
});
export const agentParams = z.object({ agent: text });
export const idParams = z.object({ id: text });

export const toolkitActionsBody = z.strictObject({
  enabled: z.boolean(),
  enabledTools: z.array(text).max(10_000).optional().describe('Tool names; default: all'),
});
namedShapes.add(toolkitActionsBody, { id: 'ToolkitActionsRequest' });

export const approvalsQuery = z.strictObject({
  status: z
    .enum([...approvalStatus.options, 'decided'])
    .optional()
    .describe('`decided`: approved, rejected or used'),
  toolkit: text.optional(),
  tool: text.optional().describe('The name within its toolkit'),
  actor: text.optional().describe('The id of the agent, person or key that asked'),
  connection: text.optional().describe('The id of the account that would act'),
  before: text.optional().describe('`next` of the previous page: approvals that were asked for earlier'),
  limit,
});
const decision = {
  decision: z.enum(['approved', 'rejected']),
  note: z.string().max(500).optional().describe('Passed to the caller when the call is rejected'),
  through: z.enum(['panel']).optional().describe('Where the person decided, if not through the API itself'),
};
export const decisionBody = z.strictObject(decision);
export const jointDecisionBody = z.strictObject({
  ids: z.array(text).min(1).max(100).describe('Approvals of one tool and one caller'),
  ...decision,
});
namedShapes.add(jointDecisionBody, { id: 'JointDecisionRequest' });

export const verifyQuery = z.strictObject({
  after: z
    .string()
    .regex(
      /^[1-9]\d{0,14}:[0-9a-f]{64}$/,
      'is the head that an earlier check returned: its number, a colon and its hash',
    )
    .transform((point) => {
      const [seq = '', hash = ''] = point.split(':');
      return { seq: Number(seq), hash };
    })
    .optional()
    .describe('Only rows after this one, which an earlier check has verified: `seq:hash`'),
});
export const followCheckQuery = z.strictObject({
  checkpoint: z
    .string()
    .min(1)
    .max(2_000)
    .optional()
    .describe(
      'The checkpoint of an earlier check, after which this one begins; the header Last-Event-ID takes precedence',
    ),
});

/** Which rows of the record: the list and the export take the same. */
export const recordFilter = z.strictObject({
  types: z
    .string()
    .transform((list) => list.split(','))
    .pipe(z.array(auditEventType))
    .optional()
    .describe('Event types, separated by commas'),
  tool: text.optional(),
  actorId: text.optional().describe('The agent, person or key that acted: its id or name'),
  executionId: text.optional(),
  text: text.optional().describe('Only rows whose body contains this'),
  since: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
});

export const auditQuery = recordFilter.extend({
  before: z.coerce.number().int().min(1).optional().describe('Rows before this sequence number'),
  limit,
});

const agentSettings = {
  name: text.optional(),
  toolMode: z
    .enum(['auto', 'direct', 'meta', 'code'])
    .optional()
    .describe('How the agent sees its tools: all, the meta-tools, depending on their number, or by programs over them'),
  worker: z.enum(workerKinds).optional().describe('The loop that works on its issues; the others are SDKs to install'),
};
export const agentBody = z.strictObject({ slug: text, ...agentSettings });
export const changeAgentBody = z.strictObject(agentSettings);
namedShapes.add(changeAgentBody, { id: 'AgentChange' });
namedShapes.add(agentBody, { id: 'AgentRequest' });

const issueOptions = { name: text.optional(), expiresInSeconds: z.int().min(1).optional() };
export const tokenBody = z.strictObject(issueOptions);
export const keyBody = z.strictObject({
  ...issueOptions,
  permissions: z.array(permission).min(1).optional().describe('Either these or a role'),
  role: role.optional().describe('The key may do what a person with this role may'),
});

const unread = z.unknown().optional().describe('Accepted as it was read, and ignored');

const grantInput = z.strictObject({
  id: unread,
  agentId: unread,
  account: unread,
  toolkit: text,
  connectionId: text.optional(),
  tools: z.array(text).max(10_000),
  limits: z
    .record(z.string(), jsonObject)
    .optional()
    .describe('By tool name: a JSON Schema the arguments must satisfy'),
  config: z.record(z.string(), jsonObject).optional().describe('By tool name: its tool_config'),
});
namedShapes.add(grantInput, { id: 'GrantRequest' });
/** The reply of the GET can be sent back unchanged. */
export const grantsBody = z.strictObject({
  grants: z.array(grantInput).max(1_000),
  agent: unread,
  entries: unread,
  doubtfulLimits: unread,
  version: unread,
});

const choice = z.strictObject({
  toolkit: text.optional(),
  account: text.optional().describe('Slug or id of a connection'),
  group: text.optional(),
  capability: text.optional().describe('Verb and object, as the tool declares it: send message'),
  risk: z.enum(['read', 'write', 'destructive']).optional(),
  tools: z
    .array(text)
    .min(1)
    .max(1_000)
    .optional()
    .describe('Names in any form, toolkits, accounts, or patterns: * matches any characters'),
});
namedShapes.add(choice, { id: 'GrantChoice' });
const choices = z.array(choice).max(100).optional();
/** Every condition of a selection must match; each is resolved once, when it is sent. */
export const grantChangesBody = z.strictObject({ add: choices, remove: choices });
namedShapes.add(grantChangesBody, { id: 'GrantChanges' });

/** A policy in a request. */
export type PolicyBody = z.input<typeof policy>;

export const policiesBody = z.strictObject({
  policies: z.array(policy).max(1_000),
  version: unread,
  withoutEffect: unread,
});
