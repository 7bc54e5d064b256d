import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import type { JsonValue } from '../../../domain/json.js';
import { defineTool } from '../../../domain/tool.js';
import { codeSettings } from '../packages/settings.js';
import { findModules } from '../packages/stored.js';
import { runCode } from '../run-code.js';

const maxTimeoutMs = 300_000;

export const executeCode = defineTool({
  name: 'execute_code',
  title: 'Run a program',
  description:
    'Run a TypeScript or JavaScript program over the data in `input`, and return what it returns. Top-level await and return work. It has no tools, no network and no files; it can import packages that install_package has installed.',
  searchWords:
    'javascript typescript script snippet program sort filter group parse transform convert data csv json list compute regex dates format evaluate',
  inputSchema: z.strictObject({
    code: z.string().min(1).max(262_144).describe('Statements that end with return, or a module with a default export'),
    language: z.enum(['typescript', 'javascript']).default('typescript'),
    input: z.unknown().optional().describe('JSON, which the program sees as the constant `input`'),
    timeout_ms: z
      .int()
      .min(1)
      .max(maxTimeoutMs)
      .default(10_000)
      .describe('Milliseconds after which the program is stopped'),
  }),
  outputSchema: z.strictObject({
    result: z.unknown().describe('What the program returned, as JSON; null if it returned nothing or failed'),
    logs: z.array(z.strictObject({ level: z.string(), text: z.string() })).describe('What it wrote to the console'),
    error: z
      .strictObject({
        name: z.string(),
        message: z.string(),
        line: z.int().optional().describe('In the program, from 1'),
        column: z.int().optional(),
        hint: z.string().optional(),
      })
      .optional()
      .describe('Why the program failed'),
  }),
  configSchema: z.strictObject({
    timeout_seconds: z
      .number()
      .positive()
      .max(maxTimeoutMs / 1_000)
      .default(60)
      .describe('Seconds that a program may take'),
    cpu_seconds: z.number().positive().max(60).default(5).describe('Seconds of them that it may compute'),
    memory_mb: z.int().min(16).max(512).default(64),
  }),
  settingsSchema: codeSettings,
  annotations: local(effects.readsAnew),
  capabilities: ['run program', 'execute code', 'transform data'],
  examples: [
    {
      input: {
        code: 'return input.prices.reduce((sum: number, price: number) => sum + price, 0)',
        input: { prices: [1, 2] },
      },
      output: { result: 3, logs: [] },
    },
  ],
  // A program may also wait for a place in the sandbox.
  timeoutMs: 2 * maxTimeoutMs,
  async execute({ code, language, input = null, timeout_ms }, context) {
    const { config, settings, documents, programs, workers, signal } = context;
    const wallMs = Math.min(timeout_ms, config.timeout_seconds * 1_000);
    const limits = { wallMs, cpuMs: Math.min(wallMs, config.cpu_seconds * 1_000), memoryMb: config.memory_mb };
    const modules = await findModules(documents, settings, code);
    return runCode({ code, language, input: input as JsonValue, limits, modules, programs, workers, signal });
  },
});
