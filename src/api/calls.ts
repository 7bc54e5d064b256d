/** Lists and figures of calls: shapes. */
import { z } from 'zod';
import { callStages } from '../domain/stages.js';
import { executionRecord, namedShapes, principalRef, timestamp } from './shapes.js';

const text = z.string().min(1).max(500);
const risk = z.enum(['read', 'write', 'destructive']);
const status = z.enum(['running', 'ok', 'failed', 'refused', 'interrupted']);
const door = z.enum(['api', 'mcp', 'program']);
const time = z.iso.datetime({ offset: true });

export const callsFilter = z.strictObject({
  status: status.optional(),
  actor: text.optional().describe('The id of the agent, person or key that called'),
  onBehalfOf: text.optional().describe('The id of the person or key that an agent acted for'),
  tool: text.optional().describe('Any form of the name'),
  toolkit: text.optional().describe('The slug, or the name in the record'),
  connection: text.optional().describe('The id of the account that acted'),
  rule: text.optional().describe('The rule that decided'),
  error: text.optional().describe('The code of the error'),
  risk: risk.optional(),
  door: door.optional().describe('How the call came; `program`: a program of code mode made it'),
  text: text
    .optional()
    .describe('Words that the record of its end has; the newest 10,000 calls with them are looked at'),
  since: time.optional().describe('When the call ended'),
  until: time.optional(),
  minDurationMs: z.coerce.number().int().min(0).optional(),
});

export const callsQuery = callsFilter.extend({
  before: z.coerce.number().int().min(1).optional().describe('`next` of a page: calls that ended earlier'),
  after: z.coerce.number().int().min(0).optional().describe('`previous` of a page: calls that ended later'),
  limit: z.coerce.number().int().min(1).max(500).optional().describe('Default 50'),
});

export const callMetricsQuery = callsFilter.extend({
  by: z.enum(['minute', 'tool', 'agent']),
  minutes: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_440)
    .optional()
    .describe('By minute: the length of a group. Default 1; more for a long time'),
  since: time.optional().describe('Default: a day before `until`'),
  until: time.optional().describe('Default: now'),
});

const callRow = z.object({
  executionId: z.string(),
  status,
  tool: z.string(),
  actor: principalRef,
  onBehalfOf: principalRef.optional(),
  seq: z.number().describe('The position of its last row in the record'),
  startedAt: timestamp,
  finishedAt: timestamp.optional(),
  durationMs: z.number().optional(),
  connectionId: z.string().optional(),
  rule: z.string().optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  risk: risk.optional(),
  door: door.optional(),
  through: z.string().optional().describe('The meta-tool that it came through'),
  runId: z.string().optional(),
  approvalId: z.string().optional(),
  intent: z.string().optional(),
  summary: z.string().optional().describe('The first of its arguments, redacted, in a few words'),
});
namedShapes.add(callRow, { id: 'CallRow' });

export const callPage = z.object({
  executions: z.array(callRow).describe('Newest first; the first page begins with running calls'),
  next: z.number().optional().describe('`before` of the page with older calls'),
  previous: z.number().optional().describe('`after` of the page with newer calls'),
});

const facets = z.array(z.object({ value: z.string(), count: z.number(), name: z.string().optional() }));

export const callFacets = z
  .object({
    total: z.number(),
    status: facets,
    actor: facets,
    tool: facets,
    toolkit: facets,
    connection: facets,
    rule: facets,
    error: facets,
    risk: facets,
    door: facets,
  })
  .describe('By field, the most frequent first, at most 200 values; the filter on the field itself does not apply');
namedShapes.add(callFacets, { id: 'CallFacets' });

export const callDetail = executionRecord.extend({
  modelName: z.string().optional().describe('The name of the tool with the same account now'),
  durationMs: z.number().optional(),
  stages: z
    .array(z.object({ stage: z.enum(callStages), ms: z.number() }))
    .optional()
    .describe('How long each stage took; the last one of a refused call is the one that refused'),
  approval: z
    .object({ id: z.string(), requestedAt: timestamp, decidedAt: timestamp.optional(), status: z.string() })
    .optional(),
  previous: z.string().optional().describe('The next call under the same filter that ended later'),
  next: z.string().optional().describe('The next one that ended earlier'),
});
namedShapes.add(callDetail, { id: 'CallDetail' });

const figures = {
  calls: z.number(),
  ok: z.number(),
  failed: z.number(),
  refused: z.number(),
  interrupted: z.number(),
  p50: z.number().optional().describe('Milliseconds, of the calls that ran'),
  p95: z.number().optional(),
  p99: z.number().optional(),
  characters: z.number().describe('Of all results'),
  kept: z.number().describe('Of those, kept behind handles instead of being sent'),
};

export const callMetrics = z.object({
  since: timestamp,
  until: timestamp,
  seconds: z.number().optional().describe('By minute: the length of a group, more than 60 for a long time'),
  total: z.object(figures),
  groups: z.array(z.object({ key: z.string(), name: z.string().optional(), ...figures })),
});
namedShapes.add(callMetrics, { id: 'CallMetrics' });
