/** What happens in the workspace, live: shapes. */
import { z } from 'zod';
import { auditEventType } from './records.js';
import { namedShapes, timestamp } from './shapes.js';

export const liveQuery = z.strictObject({
  after: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe('`seq` of the last event that was received; the header Last-Event-ID takes precedence. Default: the end'),
  live: z
    .enum(['true', 'false'])
    .optional()
    .describe('`false`: the stream ends at the present end of the record. Default: true'),
});

export const workspaceEvent = z
  .object({
    type: z.union([auditEventType, z.literal('position')]),
    seq: z.number().describe('The position in the record of the workspace; also the id of the event'),
    at: timestamp,
    executionId: z.string().optional(),
    approvalId: z.string().optional(),
    connectionId: z.string().optional(),
    runId: z.string().optional(),
    jobId: z.string().optional(),
    agent: z.string().optional().describe('The id of the agent that acted, or that was changed'),
    tool: z.string().optional(),
    status: z.string().optional().describe('How a call ended, what was decided, or the new state of an account'),
  })
  .describe('A row of the record without its body; `position`: all before it was sent');
namedShapes.add(workspaceEvent, { id: 'WorkspaceEvent' });
