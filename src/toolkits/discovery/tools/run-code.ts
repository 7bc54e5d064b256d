import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { defined } from '../../../util/defined.js';
import { describeRunCall } from '../../../util/run-words.js';
import { tellRun, toldRun } from '../tell-run.js';

/** MCP clients often give up after a minute, so the call returns earlier; the run continues in the background. */
const waitMs = 50_000;

/** Every call of the program is decided, approved and recorded on its own, as if its caller had made it. */
export const runCode = defineTool({
  name: 'run_code',
  title: 'Run a program',
  description:
    'Run a TypeScript program over your tools, each a function (`await github.createIssue({ … })`) as describe_tools with format "program" declares it. For several calls, loops, and data that you need not see: `return` what you need. `await person.ask({ question, choices? })` asks a person. Type-checked before anything runs. No imports, network or files.',
  inputSchema: z.strictObject({
    code: z.string().max(262_144).describe('Statements, with await and return'),
    intent: z.string().max(2_000).optional().describe('What the person asked for'),
    mode: z
      .enum(['run', 'plan', 'check'])
      .default('run')
      .describe('plan: only lists the effects, for a person to approve. check: only type-checks'),
    plan: z.string().max(100).optional().describe('Id of the approved plan to follow'),
  }),
  outputSchema: toldRun,
  // The annotations assume the worst that the tools behind it can do.
  annotations: effects.runs,
  idempotency: {
    by: 'key',
    how: 'A step of an agent starts one run, however often it is asked; each call of that run is kept from happening twice by itself',
  },
  risk: 'write',
  intrinsic: true,
  capabilities: ['run program'],
  examples: [{ input: { code: "return (await math.calculate({ expression: '6 * 7' })).result" } }],
  async execute({ code, mode, intent, plan }, { codeMode, signal, progress }) {
    let made = 0;
    const run = await codeMode.run(
      { code, mode, ...defined({ intent, plan }) },
      {
        signal: AbortSignal.any([signal, AbortSignal.timeout(waitMs)]),
        onCall(call) {
          made += 1;
          progress({ progress: made, message: describeRunCall(call).trim() });
        },
      },
    );
    return tellRun(run);
  },
});
