/** Shapes of tasks where data crosses a door. */
import { z } from 'zod';
import type { Check, TaskLimits, ToolConfig } from './task.js';

const app = z.string().min(1).max(100);
const apps = z.array(app).max(500);
const json = z.record(z.string(), z.json());
const schema = z.record(z.string(), z.unknown());
const text = z.string().min(1).max(4_000);

export const toolConfigShape = z.strictObject({
  enabled: apps.optional().describe('Only these apps; if absent, all that the level above allows'),
  disabled: apps.optional().describe('Never these apps'),
  includeDefaults: z.boolean().optional().describe('Whether tools that need no account are included'),
  requiredApps: apps.optional().describe('Apps without which the agent does not start'),
}) satisfies z.ZodType<ToolConfig>;

export const checkShape = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('command'),
    command: z.array(text).min(1).max(100).describe('Program and arguments, run in the folder of the issue'),
    exitCode: z.int().optional().describe('Default 0'),
    timeoutSeconds: z.int().min(1).max(600).optional().describe('Default 120; the operator may have set a lower limit'),
  }),
  z.strictObject({ kind: z.literal('tool'), tool: app, arguments: json.optional(), schema }),
  z.strictObject({ kind: z.literal('output'), schema }),
  z.strictObject({ kind: z.literal('pull_request') }),
  z.strictObject({
    kind: z.literal('files'),
    paths: z.array(z.string().min(1).max(512)).min(1).max(100).describe('Globs below the folder of the issue'),
    pattern: z
      .string()
      .min(1)
      .max(1_000)
      .optional()
      .describe('A regular expression (RE2) that the text of one of the files must match'),
  }),
  z.strictObject({ kind: z.literal('model'), rubric: text }),
  z.strictObject({
    kind: z.literal('person'),
    question: text.optional(),
    who: z
      .string()
      .min(1)
      .max(300)
      .optional()
      .describe('Id or email of a person; if absent, anyone who may decide approvals'),
  }),
]) satisfies z.ZodType<Check>;

export const taskLimitsShape = z
  .strictObject({
    maxAttempts: z.int().min(1).max(100),
    timeoutMs: z.int().min(1_000).describe('Milliseconds of work in one attempt'),
    verifyMs: z.int().min(1_000).describe('Milliseconds that verification may take'),
    maxSteps: z.int().min(1),
    maxTokens: z.int().min(0),
    maxCents: z.number().min(0),
  })
  .partial() satisfies z.ZodType<Partial<TaskLimits>>;
