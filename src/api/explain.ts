/** Answers about calls that are not made, over HTTP. */
import { z } from 'zod';
import { layers } from '../domain/explain.js';
import { grantChangesBody, grantsBody, text } from './requests.js';
import { jsonObject, namedShapes, policy, timestamp } from './shapes.js';

const verdict = z
  .enum(['allow', 'require_approval', 'deny', 'unknown'])
  .describe('unknown: it depends on what the question leaves open, or an earlier layer has already decided');
const rule = z.string().describe('As in the record of a call: grant.missing, policy:<id>, default.destructive');

export const explainBody = z.strictObject({
  agent: text.describe('Slug or id'),
  tool: text.describe('Any form of its name'),
  connection: text.optional().describe('Slug or id of the account, if the name does not say it'),
  input: jsonObject.optional().describe('Absent: a call with any arguments'),
  onBehalfOf: text.optional().describe('Id or e-mail address of the person for whom the agent acts'),
  issue: text
    .optional()
    .describe('Id of an issue that it works on: its tool configs and the present step of its recipe apply'),
  intent: z.string().max(2_000).optional().describe('What the person asked for, in their words'),
});
namedShapes.add(explainBody, { id: 'ExplainRequest' });

export const explanation = z.object({
  verdict,
  rule,
  steps: z
    .array(
      z.object({
        layer: z.enum(layers),
        verdict,
        rule: rule.optional(),
        reason: z.string().describe('One sentence'),
      }),
    )
    .describe('In the order in which a call passes through them'),
});
namedShapes.add(explanation, { id: 'Explanation' });

const tokens = z.int().describe('Estimated: a quarter of the characters of the definition as JSON');

const mode = z.object({
  set: z.enum(['auto', 'direct', 'meta', 'code']),
  shows: z.enum(['tools', 'meta', 'code']).describe('What the list of the model has'),
  reason: z.string(),
  tokens,
});

export const effectiveTools = z.object({
  agent: z.string(),
  tools: z.array(
    z.object({
      name: z.string().describe('As the model sees it'),
      toolkit: z.string(),
      connection: z.string().optional(),
      risk: z.string(),
      approval: z.enum(['none', 'required', 'depends', 'denied']),
      rule,
      tokens,
    }),
  ),
  tokens,
  mode,
  notOffered: z
    .array(z.object({ tool: z.string(), connection: z.string().optional(), rule, reason: z.string() }))
    .describe('Granted, and refused whatever the arguments are'),
});
namedShapes.add(effectiveTools, { id: 'EffectiveTools' });

/** The body of a replacement of grants, or of a change of them. */
export const grantPreviewBody = z.union([grantsBody, grantChangesBody]);
namedShapes.add(grantPreviewBody, { id: 'GrantPreviewRequest' });

const previewedTool = z.object({
  name: z.string().describe('As the model sees it'),
  toolkit: z.string(),
  connection: z.string().optional(),
  risk: z.enum(['read', 'write', 'destructive']).optional().describe('Absent for a tool that is no longer there'),
});
const granted = z.object({ tools: z.int().describe('How many it can call'), tokens, mode });

export const grantPreview = z.object({
  agent: z.string(),
  version: z.string().describe('Of the present grants: send it as If-Match with the change'),
  added: z.array(previewedTool),
  removed: z.array(previewedTool),
  changed: z.array(previewedTool).describe('With other limits or another configuration'),
  destructive: z
    .array(previewedTool.extend({ approval: z.enum(['none', 'required', 'depends', 'denied']), rule }))
    .describe('Of the added ones'),
  before: granted,
  after: granted,
  privateAccounts: z
    .array(
      z.object({
        connection: z.string(),
        name: z.string(),
        owner: z.string().optional(),
        own: z.boolean().describe('It is the account of the caller'),
      }),
    )
    .describe('Private accounts that the agent would be given: it uses them only when it acts for their owners'),
});
namedShapes.add(grantPreview, { id: 'GrantPreview' });

export const policyPreviewBody = z.strictObject({
  policies: z.array(policy),
  since: timestamp.optional().describe('Default: all recorded calls'),
  limit: z.int().min(1).max(100_000).optional().describe('At most this many calls, newest first. Default 10,000'),
});
namedShapes.add(policyPreviewBody, { id: 'PolicyPreviewRequest' });

const replayed = z.object({
  count: z.int(),
  calls: z
    .array(
      z.object({
        executionId: z.string(),
        at: timestamp,
        actor: z.string(),
        tool: z.string(),
        before: verdict,
        after: verdict,
        rule,
        reason: z.string(),
      }),
    )
    .describe('The newest 100 of them'),
});

export const policyPreview = z.object({
  same: replayed,
  newlyWaiting: replayed,
  newlyRefused: replayed,
  newlyFree: replayed,
  unknown: replayed.describe('The record has not all of the arguments, and the policies look at them'),
});
namedShapes.add(policyPreview, { id: 'PolicyPreview' });
