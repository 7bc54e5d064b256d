/** Task sources: where issues come from, and what services deliver. */
import { z } from 'zod';
import { checkShape } from '../domain/task-shapes.js';
import { taskSourceProviders } from '../domain/task-source.js';
import { namedShapes, principalRef, timestamp } from './shapes.js';

const provider = z.enum(taskSourceProviders);
const scope = z
  .string()
  .min(1)
  .max(210)
  .describe('GitHub: acme or acme/shop. Linear: the key of a team, ENG, or the organisation as in its addresses, acme');

export const newTaskSourceBody = z.strictObject({
  provider,
  scope,
  connection: z.string().min(1).max(200).describe('Slug or id of the account with which outcomes are written back'),
  secret: z.string().min(16).max(500).optional().describe('Signs deliveries. Default: a new one'),
  checks: z.array(checkShape).max(50).optional().describe('How the work on its issues is verified'),
});
namedShapes.add(newTaskSourceBody, { id: 'NewTaskSource' });

export const taskSource = z.object({
  id: z.string(),
  provider,
  scope: z.string(),
  connection: z.string().optional().describe('Slug of the account; absent if it is gone or not yours to see'),
  webhookUrl: z.string().optional().describe('Where the service has to send its deliveries'),
  checks: z.array(checkShape),
  createdBy: principalRef.describe('For whom agents work that are assigned through it'),
  createdAt: timestamp,
  problem: z.string().optional().describe('Why it does not work, or only in part'),
});
namedShapes.add(taskSource, { id: 'TaskSource' });

export const taskSourceList = z.object({ sources: z.array(taskSource) });
export const newTaskSource = z.object({
  source: taskSource,
  secret: z.string().describe('Shown once: give it to the webhook'),
});
export const receivedWebhook = z.object({
  accepted: z.boolean().describe('Whether it says something that somebody here waits for'),
});
