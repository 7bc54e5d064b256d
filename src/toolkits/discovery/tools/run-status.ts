import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { tellRun, toldRun } from '../tell-run.js';

const maxWaitSeconds = 50;

/** For a run that had to wait, or that took longer than `run_code` waits. */
export const runStatus = defineTool({
  name: 'run_status',
  title: 'Status of a run',
  description: 'What a run of run_code returned, or waits for.',
  inputSchema: z.strictObject({
    id: z.string().max(100),
    wait_seconds: z
      .number()
      .min(0)
      .max(maxWaitSeconds)
      .default(0)
      .describe('How long to wait for its end, or for a new wait'),
    value_from: z.number().min(0).default(0).describe('The character at which the part of a long value starts'),
  }),
  outputSchema: toldRun,
  annotations: local(effects.readsAnew),
  intrinsic: true,
  capabilities: ['get run status'],
  examples: [{ input: { id: '01a210e7-5f6c-74b2-940f-2d586d360f19', wait_seconds: 30 } }],
  async execute({ id, wait_seconds, value_from }, { codeMode, signal }) {
    if (wait_seconds === 0) return tellRun(await codeMode.get(id), value_from);
    const waited = AbortSignal.any([signal, AbortSignal.timeout(wait_seconds * 1_000)]);
    return tellRun(await codeMode.settle(id, waited), value_from);
  },
});
