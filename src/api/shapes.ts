/**
 * The main entities over HTTP, in Zod: routes validate with them, OpenAPI is generated from them and the client's types come
 * from them. Replies stay open to new properties; requests are strict (requests.ts).
 */
import { z } from 'zod';
import { type ErrorCode, errorTable } from '../domain/errors.js';
import { allPermissions } from '../domain/principal.js';
import { workerKinds } from '../domain/worker-kind.js';

/** Shapes that are named in the OpenAPI document. */
export const namedShapes = z.registry<{ id: string }>();

function named<Shape extends z.ZodType>(id: string, shape: Shape): Shape {
  namedShapes.add(shape, { id });
  return shape;
}

/** JSON objects pass unchanged: their own schemas are checked where they are used. */
export const jsonObject = z.record(z.string(), z.unknown());
export const timestamp = z.string().describe('ISO 8601, UTC');
const errorCode = z.enum(Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]]);
export const permission = z.enum(allPermissions);
const principalKind = z.enum(['user', 'agent', 'api_key']);
const providerKind = z.enum(['native', 'openapi', 'mcp', 'composio']);
export const riskTier = z.enum(['read', 'write', 'destructive']);
const policyEffect = z.enum(['allow', 'require_approval', 'deny']);
export const approvalStatus = z.enum(['pending', 'approved', 'rejected', 'used', 'withdrawn']);

export const principalRef = named(
  'PrincipalRef',
  z.object({ kind: principalKind, id: z.string(), name: z.string() }).describe('Who calls'),
);

export const problem = named(
  'Problem',
  z
    .object({
      type: z.string(),
      title: z.string(),
      status: z.int(),
      detail: z.string(),
      code: errorCode,
      retryable: z.boolean(),
      hint: z.string().optional(),
      details: jsonObject.optional(),
    })
    .describe('RFC 9457 problem details; `code` is stable, `hint` says how to correct the request'),
);

const toolId = named('ToolId', z.object({ toolkit: z.string(), name: z.string() }));

const contentBlock = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.enum(['image', 'audio']), data: z.string(), mimeType: z.string() }),
  z.object({
    type: z.literal('resource'),
    resource: z.union([
      z.object({ uri: z.string(), mimeType: z.string().optional(), text: z.string() }),
      z.object({ uri: z.string(), mimeType: z.string().optional(), blob: z.string() }),
    ]),
  }),
  z.object({
    type: z.literal('resource_link'),
    uri: z.string(),
    name: z.string(),
    mimeType: z.string().optional(),
  }),
]);

export const errorBody = named(
  'Error',
  z.object({
    code: errorCode,
    message: z.string(),
    retryable: z.boolean(),
    hint: z.string().optional(),
    details: jsonObject.optional(),
  }),
);

const fileWidget = z.object({
  type: z.literal('file'),
  name: z.string(),
  mimeType: z.string(),
  text: z.string().optional(),
  data: z.string().optional(),
});
const widget = named(
  'Widget',
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('table'), columns: z.array(z.string()), rows: z.array(z.array(z.unknown())) }),
    z.object({ type: z.literal('text'), text: z.string(), language: z.enum(['plain', 'json']) }),
    z.object({ type: z.literal('image'), data: z.string(), mimeType: z.string() }),
    fileWidget,
    z.object({ type: z.literal('diff'), text: z.string() }),
    errorBody.omit({ details: true }).extend({ type: z.literal('error') }),
  ]),
);
const widgetField = widget.optional().describe('With `as=panel`: the result as one typed widget');

const resultBase = {
  executionId: z.string(),
  tool: z.string(),
  rule: z.string(),
  durationMs: z.number(),
  widget: widgetField,
};
export const toolResult = named(
  'ToolResult',
  z.discriminatedUnion('ok', [
    z.object({
      ...resultBase,
      ok: z.literal(true),
      output: z.unknown(),
      content: z.array(contentBlock).optional(),
      handle: z
        .object({ handle: z.string(), characters: z.number(), expiresAt: timestamp, shape: z.string() })
        .optional(),
    }),
    z.object({ ...resultBase, ok: z.literal(false), error: errorBody }),
  ]),
);

const progressUpdate = z.object({
  progress: z.number(),
  total: z.number().optional(),
  message: z.string().optional(),
});

export const executionRecord = named(
  'Execution',
  z.object({
    executionId: z.string(),
    status: z.enum(['running', 'ok', 'failed', 'refused', 'interrupted']),
    tool: z.string(),
    actor: z.object({ kind: z.string(), id: z.string(), name: z.string() }),
    onBehalfOf: z.object({ kind: z.string(), id: z.string(), name: z.string() }).optional(),
    startedAt: timestamp,
    finishedAt: timestamp.optional(),
    seq: z.int().describe('The position of its last row in the record'),
    started: jsonObject.optional(),
    outcome: jsonObject.optional(),
    widget: widgetField,
  }),
);

export const executionEvent = named(
  'ExecutionEvent',
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('started'), executionId: z.string(), tool: z.string(), at: timestamp }),
    z.object({ type: z.literal('progress'), executionId: z.string(), update: progressUpdate, at: timestamp }),
    z.object({ type: z.literal('finished'), executionId: z.string(), result: toolResult, at: timestamp }),
    z.object({ type: z.literal('recorded'), executionId: z.string(), record: executionRecord, at: timestamp }),
  ]),
);

export const toolAnnotations = z.object({
  readOnlyHint: z.boolean(),
  destructiveHint: z.boolean(),
  idempotentHint: z.boolean(),
  openWorldHint: z.boolean(),
});

export const toolExample = z.object({
  input: jsonObject,
  output: z.unknown().optional(),
  note: z.string().optional(),
});

export const unofferedTool = z.object({
  name: z.string().describe('The name in its source; * means all tools of the toolkit'),
  reason: z.string(),
});

export const tool = named(
  'Tool',
  z.object({
    id: toolId,
    title: z.string(),
    description: z.string(),
    inputSchema: jsonObject,
    outputSchema: jsonObject.optional(),
    annotations: toolAnnotations,
    scopes: z.array(z.string()),
    risk: riskTier,
    highRisk: z.boolean(),
    capabilities: z.array(z.string()),
    examples: z.array(toolExample),
    configSchema: jsonObject.optional(),
    provider: providerKind,
    hasEffects: z.boolean(),
    intrinsic: z.boolean(),
    timeoutMs: z.number(),
  }),
);

export const switchedTool = z.object({ tool, enabled: z.boolean() });

const toolSummary = named(
  'ToolSummary',
  z.object({
    name: z.string(),
    title: z.string(),
    summary: z.string().describe('The first sentence of its description'),
    risk: riskTier,
    effect: z.enum(['reads', 'adds', 'replaces']).describe('What it does to what is there'),
    enabled: z.boolean(),
    group: z.string().optional(),
  }),
);

export const toolSummaryPage = z.object({
  tools: z.array(toolSummary),
  total: z.int().describe('All that match'),
  next: z.string().optional().describe('`after` of the next page'),
  previous: z.string().optional().describe('`before` of the previous page'),
});

export const shownApproval = z
  .enum(['required', 'depends'])
  .optional()
  .describe('Whether a person must approve a call; absent if not');

export const listedTool = named(
  'ListedTool',
  z.object({
    name: z.string().describe('The model-facing name'),
    tool,
    connectionId: z.string().optional(),
    approval: shownApproval,
  }),
);

export const toolkit = named(
  'Toolkit',
  z.object({
    slug: z.string(),
    title: z.string(),
    description: z.string(),
    category: z.string(),
    provider: providerKind,
    needsConnection: z.boolean(),
    internal: z.boolean(),
  }),
);

export const toolkitSetting = named(
  'ToolkitSetting',
  z.object({ toolkit: z.string(), enabled: z.boolean(), enabledTools: z.array(z.string()).optional() }),
);

export const decision = named(
  'Decision',
  z
    .object({
      effect: policyEffect.describe('If it depends on the arguments: the least strict possible effect'),
      rule: z.string(),
      reason: z.string(),
      approval: z.enum(['none', 'required', 'depends', 'denied']),
      rules: z
        .array(
          z.object({
            effect: policyEffect,
            rule: z.string(),
            reason: z.string(),
            dependsOnArguments: z.literal(true).optional(),
          }),
        )
        .describe('All rules that contributed; the strictest that applies decides'),
    })
    .describe('Allowed, or the rule that refused'),
);

export const agent = named(
  'Agent',
  z.object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    createdAt: timestamp,
    managedBy: z.enum(['api', 'file', 'released']),
    toolMode: z.enum(['auto', 'direct', 'meta', 'code']).optional().describe('Default: auto'),
    worker: z.enum(workerKinds).optional().describe('The loop that works on its issues. Default: helve'),
  }),
);

export const agentPage = z.object({
  agents: z.array(
    agent.extend({
      usage: z
        .object({
          granted: z.int().optional().describe('Granted tools, one for each account; needs grants:read'),
          offered: z.int().optional().describe('Tools that it can call now; needs policies:read too'),
          callsLastDay: z.int().optional(),
          lastSeenAt: timestamp.optional().describe('When its last call ended'),
        })
        .optional()
        .describe('Only in a page'),
    }),
  ),
  total: z.int().optional().describe('Of a page: all that match'),
  next: z.string().optional().describe('`after` of the next page'),
  previous: z.string().optional().describe('`before` of the previous page'),
});

export const actingAccount = named(
  'ActingAccount',
  z
    .object({
      connectionId: z.string(),
      slug: z.string(),
      name: z.string(),
      visibility: z.enum(['private', 'workspace']),
      account: z.string().optional().describe('Email, name or id from the service'),
      owner: z.string().describe('Who added the connection'),
    })
    .describe('The account that a call uses'),
);

export const grant = named(
  'Grant',
  z.object({
    id: z.string(),
    agentId: z.string(),
    toolkit: z.string(),
    connectionId: z.string().optional(),
    tools: z.array(z.string()),
    limits: z.record(z.string(), jsonObject),
    config: z.record(z.string(), jsonObject),
  }),
);

export const savedGrant = named('SavedGrant', grant.extend({ account: actingAccount.optional() }));
export const doubtfulLimit = named(
  'DoubtfulLimit',
  z.object({
    toolkit: z.string(),
    connectionId: z.string().optional(),
    tool: z.string(),
    argument: z.string(),
    nearest: z.string().optional().describe('The most similar name'),
  }),
);

export const grantSet = named(
  'GrantSet',
  z.object({
    grants: z.array(savedGrant),
    doubtfulLimits: z
      .array(doubtfulLimit)
      .describe('Limits on arguments that their tools do not list: the names may be misspelt'),
    version: z.string(),
  }),
);

export const changedGrantSet = named(
  'ChangedGrantSet',
  grantSet.extend({
    added: z.array(z.string()).describe('Model-facing names of the newly granted tools'),
    removed: z.array(z.string()),
  }),
);

export const catalogueEntry = named(
  'CatalogueEntry',
  z.object({
    toolkit,
    connectionId: z.string().optional(),
    slug: z.string().optional(),
    connection: z
      .object({
        name: z.string(),
        status: z.string(),
        visibility: z.string(),
        account: z.object({ id: z.string(), name: z.string().optional(), email: z.string().optional() }).optional(),
      })
      .optional(),
    tools: z.array(
      z.object({
        modelName: z.string(),
        name: z.string(),
        title: z.string(),
        description: z.string(),
        risk: riskTier,
        capabilities: z.array(z.string()),
        group: z.string().optional(),
        granted: z.boolean(),
      }),
    ),
  }),
);

export const policy = named(
  'Policy',
  z.strictObject({
    id: z.string().min(1),
    effect: policyEffect,
    when: z.strictObject({
      agents: z.array(z.string()).optional(),
      toolkits: z.array(z.string()).optional(),
      tools: z.array(z.string()).optional(),
      risk: z.array(riskTier).optional(),
      arguments: jsonObject.optional(),
    }),
    rateLimit: z.strictObject({ calls: z.int().min(1), seconds: z.int().min(1) }).optional(),
    reason: z.string().optional(),
    elicitation: z
      .boolean()
      .optional()
      .describe('With require_approval: whether the calling program may give the answer itself'),
  }),
);

export const role = z
  .enum(['admin', 'auditor', 'member'])
  .describe('admin: everything. auditor: reads everything. member: their own accounts');

export const repoNotice = z
  .string()
  .optional()
  .describe('In the answer to a change: that the name of a repository could not be checked, and why');
