/** Task sources: where issues come from, and what services deliver. */
import { z } from 'zod';
import { checkShape } from '../domain/task-shapes.js';
import { taskSourceProviders } from '../domain/task-source.js';
import { namedShapes, principalRef, repoNotice, timestamp } from './shapes.js';

const provider = z.enum(taskSourceProviders);
const scope = z
  .string()
  .min(1)
  .max(210)
  .describe(
    'GitHub: acme or acme/shop. Linear: the key of a team, ENG, or the organisation as its URLs show it, acme. Trigger: the id of a subscription',
  );

const matched = z.union([z.string().max(1_000), z.number(), z.boolean(), z.null()]);
const path = z.string().min(1).max(200);
const triggerRule = z.strictObject({
  if: z
    .record(path, z.union([matched, z.array(matched).min(1).max(50)]))
    .optional()
    .describe(
      'From the path of a value in the payload, issue.priority, to what it must be, or to a list of what it may be',
    ),
  title: z.string().min(1).max(1_000).describe('May have values of the payload in it: {{issue.title}}'),
  text: z.string().max(20_000).optional().describe('As title'),
  repo: z.string().min(1).max(300).optional(),
  project: z.string().min(1).max(300).optional(),
  labels: z.array(z.string().min(1).max(100)).max(100).optional(),
  assign: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Name of an agent, which then works for whoever made the source'),
});
namedShapes.add(triggerRule, { id: 'TriggerRule' });
const rules = z
  .array(triggerRule)
  .min(1)
  .max(50)
  .optional()
  .describe('Only for a trigger: the first that holds for an event opens an issue');

export const newTaskSourceBody = z.strictObject({
  provider,
  scope,
  connection: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Slug or id of the account with which outcomes are written back; not for a trigger'),
  secret: z.string().min(16).max(500).optional().describe('Signs deliveries. Default: a new one'),
  checks: z.array(checkShape).max(50).optional().describe('How the work on its issues is verified'),
  rules,
});
namedShapes.add(newTaskSourceBody, { id: 'NewTaskSource' });

export const taskSource = z.object({
  id: z.string(),
  provider,
  scope: z.string(),
  connection: z.string().optional().describe('Slug of the account; absent if it is gone or not yours to see'),
  webhookUrl: z.string().optional().describe('Where the service has to send its deliveries'),
  checks: z.array(checkShape),
  rules,
  createdBy: principalRef.describe('For whom agents work that are assigned through it'),
  createdAt: timestamp,
  problem: z.string().optional().describe('Why it does not work, or only in part'),
});
namedShapes.add(taskSource, { id: 'TaskSource' });

export const taskSourceList = z.object({ sources: z.array(taskSource) });
export const newTaskSource = z.object({
  source: taskSource,
  secret: z.string().optional().describe('Shown once: give it to the webhook. A trigger has none'),
  notice: repoNotice,
});
export const receivedWebhook = z.object({
  accepted: z.boolean().describe('Whether it says something that somebody here waits for'),
});
