/** Shapes of tasks where data crosses a door. */
import { z } from 'zod';
import type { Check, TaskLimits, ToolConfig } from './task.js';

const app = z.string().min(1).max(100);
const apps = z.array(app).max(500);
const json = z.record(z.string(), z.json());
const schema = z.record(z.string(), z.unknown());
const text = z.string().min(1).max(4_000);

export const toolConfigShape = z.strictObject({
  enabled: apps.optional().describe('Only these apps; absent: all that came from above'),
  disabled: apps.optional().describe('Never these apps'),
  includeDefaults: z.boolean().optional().describe('Whether tools that need no account are included'),
  requiredApps: apps.optional().describe('Apps without which the agent does not start'),
}) satisfies z.ZodType<ToolConfig>;

export const checkShape = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('command'), command: z.array(text).min(1).max(100), exitCode: z.int().optional() }),
  z.strictObject({ kind: z.literal('tool'), tool: app, arguments: json.optional(), schema }),
  z.strictObject({ kind: z.literal('output'), schema }),
  z.strictObject({ kind: z.literal('pull_request') }),
  z.strictObject({ kind: z.literal('files'), paths: z.array(text).min(1).max(100) }),
  z.strictObject({ kind: z.literal('model'), rubric: text }),
  z.strictObject({ kind: z.literal('person'), question: text.optional() }),
]) satisfies z.ZodType<Check>;

export const taskLimitsShape = z
  .strictObject({
    maxAttempts: z.int().min(1).max(100),
    timeoutMs: z.int().min(1_000).describe('Milliseconds of work in one attempt'),
    maxSteps: z.int().min(1),
    maxTokens: z.int().min(0),
    maxCents: z.number().min(0),
  })
  .partial() satisfies z.ZodType<Partial<TaskLimits>>;
