/** The checks that are calls: `tool` and `command`. The agent of the issue makes them, like any other call. */
import type { CallPreview, CallRequest, ToolResult } from '../../domain/execution.js';
import type { JsonObject } from '../../domain/json.js';
import type { Principal } from '../../domain/principal.js';
import type { Check, CheckResult } from '../../domain/task.js';
import { schemaIssues } from '../../schema/index.js';
import type { Pipeline } from '../calling/index.js';
import { end, failed, mismatch, passed } from './check-results.js';

export interface CallingParts {
  readonly call: (request: CallRequest) => Promise<ToolResult>;
  readonly pipeline: Pick<Pipeline, 'preview'>;
}

export interface CallQuestion<Asked extends Check = Check> {
  readonly check: Asked;
  /** Or the reason why nobody can make the call. */
  readonly worker: Principal | string;
  /** This work was begun before, and its process may have ended during the call. */
  readonly mayHaveCalled: boolean;
  readonly signal: AbortSignal;
}

/** A refusal, and an approval that is missing, are reasons like any other. Throws only if the signal is aborted. */
export function checkTool(
  parts: CallingParts,
  question: CallQuestion<Extract<Check, { kind: 'tool' }>>,
): Promise<CheckResult> {
  const { check } = question;
  return callOnce(parts, question, {
    tool: check.tool,
    input: check.arguments ?? {},
    mayRepeat: ({ tool }) => !tool.tool.hasEffects,
    judge({ output, executionId }) {
      const issues = schemaIssues(check.schema, output);
      const evidence = { execution: executionId, answer: output };
      if (issues.length === 0) return passed(check, evidence);
      return failed(check, mismatch('The answer', issues), evidence);
    },
  });
}

const commandTool = 'run_command';
const defaultSeconds = 120;
/** Characters of the output in the evidence, and in the reason that the next attempt reads. */
const shownOutput = 3_000;
const toldOutput = 700;

interface CommandOutput {
  readonly exit_code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly stopped_by: string | null;
}

/** Runs in the folder of the issue, as the agent's grant of `run_command` allows. Throws only if the signal is aborted. */
export function checkCommand(
  parts: CallingParts,
  question: CallQuestion<Extract<Check, { kind: 'command' }>>,
): Promise<CheckResult> {
  const { check } = question;
  const { command, exitCode: wanted = 0, timeoutSeconds: timeout = defaultSeconds } = check;
  return callOnce(parts, question, {
    tool: commandTool,
    input: { argv: [...command], timeout },
    // Without network access it can change nothing but the folder.
    mayRepeat: ({ config }) => config.network !== true,
    judge({ output, executionId }) {
      const { exit_code: exitCode, stdout, stderr, stopped_by: stoppedBy } = output as unknown as CommandOutput;
      const said = [stdout, stderr].filter((text) => text !== '').join('\n');
      const evidence = { execution: executionId, exitCode, stoppedBy, output: end(said, shownOutput) };
      if (exitCode === wanted && stoppedBy === null) return passed(check, evidence);
      const ended = stoppedBy
        ? `It was stopped by its limit on ${stoppedBy}`
        : `It ended with exit code ${exitCode}, not ${wanted}`;
      return failed(check, `${ended}:\n${end(said, toldOutput)}`, evidence);
    },
  });
}

interface CheckCall {
  readonly tool: string;
  readonly input: JsonObject;
  /** Whether the call may be repeated although a process may have ended while making it. */
  readonly mayRepeat: (seen: CallPreview) => boolean;
  readonly judge: (result: Extract<ToolResult, { ok: true }>) => CheckResult;
}

async function callOnce(
  { call, pipeline }: CallingParts,
  { check, worker, mayHaveCalled, signal }: CallQuestion,
  { tool, input, mayRepeat, judge }: CheckCall,
): Promise<CheckResult> {
  if (typeof worker === 'string') return failed(check, worker);
  const request = { principal: worker, tool, input, signal };
  if (mayHaveCalled) {
    const seen = await pipeline.preview(request);
    if (!seen.ok) return failed(check, `${seen.error.code}: ${seen.error.message}`);
    if (!mayRepeat(seen))
      return failed(check, 'The process ended while the tool was called. It has effects, so it is not called again.');
  }
  const result = await call(request);
  // The check was stopped from outside, so the failed call says nothing about the work.
  signal.throwIfAborted();
  if (result.ok) return judge(result);
  const { code, message } = result.error;
  // Not all who may read this may see the account, which the name of the tool names.
  return failed(check, `${code}: ${message.replaceAll(result.tool, tool)}`, { execution: result.executionId });
}
