/**
 * An agent's loop, run as a program of a run: each answer of the model and each call of a tool is a step in the ledger. A
 * replay therefore gets the answers that were paid for and the results that were made, and goes on from there. It must not
 * decide anything by something else: no clock, no chance, no list of tools.
 */
import type {
  AgentResult,
  AgentWork,
  ModelAnswer,
  ModelMessage,
  ModelToolCall,
  ModelToolResult,
} from '../../domain/agent-model.js';
import type { ErrorBody } from '../../domain/errors.js';
import type { JsonObject, JsonValue } from '../../domain/json.js';
import type { RunRequest, RunResult, Sandbox } from '../../domain/sandbox.js';
import { askName } from '../code/index.js';
import { ToolCallError } from './answers.js';
import { BudgetError, createBudget } from './budget.js';
import { type FixedCalls, makeFixedCalls } from './fixed-calls.js';
import { followProgram, settledName, startsProgram } from './programs.js';

/** The name of an answer of the model among the calls of a run. No tool has a dot in its model-facing name. */
export const modelName = 'model.answer';
/** What the model calls to ask a person, and to hand in its result. */
export const askPersonName = 'ask_person';
export const submitName = 'submit_result';

const defaultAnswerTokens = 8_192;
/** Characters of all messages: beyond it, results of earlier calls are left out, oldest first. */
const maxContextChars = 400_000;
const keptResults = 4;

/** Runs agents' loops and fixed calls in the place of the sandbox: `code` is the work, or the calls, as JSON. */
export function createAgentLoop(): Pick<Sandbox, 'run'> {
  return {
    async run(request) {
      const facts = { logs: [], cpuMs: 0, calls: 0 };
      try {
        const given = JSON.parse(request.code) as AgentWork | FixedCalls;
        const caller = createCaller(request);
        const value = await Promise.race([
          'calls' in given ? makeFixedCalls(given, caller) : work(given, caller),
          rejectWhenAborted(request.signal),
        ]);
        return { ok: true, value: { ...value }, ...facts };
      } catch (error) {
        return { ok: false, error: toRunError(error), ...facts };
      }
    },
  };
}

/** The calls of a run that ends are never answered. */
function rejectWhenAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = (): void => reject(new Error('The run has ended'));
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted) end();
  });
}

function toRunError(error: unknown): NonNullable<RunResult['error']> {
  if (error instanceof ToolCallError || error instanceof BudgetError) {
    const { name, message, code } = error;
    return { name, message, code };
  }
  return { name: 'Error', message: error instanceof Error ? error.message : String(error) };
}

type Caller = (name: string, input: JsonValue) => Promise<JsonValue>;

/** Numbers the calls, and says after each answer that the loop waits again. */
function createCaller(request: RunRequest): Caller {
  const signal = request.signal ?? new AbortController().signal;
  let index = 0;
  // After the loop has done everything that it can do with the answer before.
  const rest = (): void => void setImmediate(() => request.onIdle?.());
  return async (name, input) => {
    const answer = request.call(name, JSON.stringify(input), { index: index++, signal });
    rest();
    const text = await answer.finally(rest);
    return JSON.parse(text) as JsonValue;
  };
}

async function work(given: AgentWork, call: Caller): Promise<AgentResult> {
  const { system, prompt, maxSteps, maxAnswerTokens = defaultAnswerTokens, outputSchema } = given;
  const messages: ModelMessage[] = [{ role: 'user', text: prompt }];
  const budget = createBudget(given);
  budget.check();
  for (let step = 1; step <= maxSteps; step += 1) {
    const asked = { system, messages: shorten(messages), maxTokens: maxAnswerTokens };
    const question = outputSchema === undefined ? asked : { ...asked, outputSchema };
    const answer = (await call(modelName, question as unknown as JsonValue)) as unknown as ModelAnswer;
    budget.spend(answer);
    const { text, calls } = answer;
    const submitted = outputSchema === undefined ? undefined : calls.find(({ name }) => name === submitName);
    if (submitted) return { text, output: submitted.input, steps: step, tokens: budget.tokens() };
    messages.push({ role: 'assistant', text, calls });
    const isEnd = calls.length === 0 && answer.finish !== 'length' && outputSchema === undefined;
    if (isEnd) return { text, steps: step, tokens: budget.tokens() };
    // Without another answer, nobody would read what its calls answer.
    budget.check();
    if (calls.length > 0)
      messages.push({ role: 'tool', results: await Promise.all(calls.map((one) => make(one, call, given))) });
    else if (answer.finish === 'length')
      messages.push({
        role: 'user',
        text: 'Your answer was cut off because it was too long. Go on, in smaller parts.',
      });
    else messages.push({ role: 'user', text: `Hand in the result with ${submitName}, or go on with the work.` });
  }
  throw new BudgetError(`The work has used all of its ${maxSteps} steps without an end`);
}

/** What only the loop itself does. A model that could call them would be asked outside of its steps and tokens. */
const ownSteps: readonly string[] = [modelName, settledName];

const noTool = (name: string): ErrorBody => ({
  code: 'not_found',
  message: `There is no tool ${name}`,
  hint: 'Call one of your tools.',
  retryable: false,
});

/** An error of a tool is for the model: it can correct itself. */
async function make(
  { id, name, input }: ModelToolCall,
  call: Caller,
  { waitsWithPrograms }: AgentWork,
): Promise<ModelToolResult> {
  try {
    if (ownSteps.includes(name)) throw new ToolCallError(noTool(name));
    const told = await call(name === askPersonName ? askName : name, input);
    const output = waitsWithPrograms && startsProgram(name, input) ? await followProgram(told, call) : told;
    return { id, name, text: typeof output === 'string' ? output : JSON.stringify(output) };
  } catch (error) {
    if (!(error instanceof ToolCallError)) throw error;
    const { code, message, hint } = error;
    return { id, name, text: JSON.stringify({ error: { code, message, hint } }), isError: true };
  }
}

/** Leaves out the results of early calls until the messages fit. The same messages are always shortened in the same way. */
function shorten(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  let over = lengthOf(messages) - maxContextChars;
  if (over <= 0) return messages;
  const last = messages.length - 2 * keptResults;
  return messages.map((message, at): ModelMessage => {
    if (over <= 0 || at >= last || message.role !== 'tool') return message;
    const results = message.results.map((result) => {
      const text = `Left out: ${result.text.length} characters of an earlier result. Call the tool again if you need it.`;
      if (over <= 0 || result.text.length <= text.length) return result;
      over -= result.text.length - text.length;
      return { ...result, text };
    });
    return { ...message, results };
  });
}

const lengthOf = (messages: readonly ModelMessage[]): number => JSON.stringify(messages).length;

/** The question that a step of the loop put to the model. Never throws: it was made here. */
export function readQuestion(input: unknown): {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly maxTokens: number;
  readonly outputSchema?: JsonObject;
} {
  return input as ReturnType<typeof readQuestion>;
}
