/**
 * An agent's loop, run as a program of a run: each answer of the model and each call of a tool is a step in the ledger. A
 * replay therefore gets the answers that were paid for and the results that were made, and goes on from there. It must not
 * decide anything by something else: no clock, no chance, no list of tools.
 */
import type { AgentDrivers } from '../../domain/agent-driver.js';
import type { AgentResult, AgentWork, ModelMessage, ModelToolCall, ModelToolResult } from '../../domain/agent-model.js';
import { HelveError } from '../../domain/errors.js';
import type { JsonObject, JsonValue } from '../../domain/json.js';
import type { RunRequest, RunResult, Sandbox } from '../../domain/sandbox.js';
import { defined } from '../../util/defined.js';
import { ToolCallError } from './answers.js';
import { BudgetError } from './budget.js';
import { drive } from './drive.js';
import { type FixedCalls, makeFixedCalls } from './fixed-calls.js';
import { createStepsLeft, RecipeError } from './recipe-steps.js';
import { asSaid, type Caller, createTurns, nudge, submitName } from './turns.js';

/** Runs agents' loops and fixed calls in the place of the sandbox: `code` is the work, or the calls, as JSON. */
export function createAgentLoop(drivers: AgentDrivers): Pick<Sandbox, 'run'> {
  return {
    async run(request) {
      const facts = { logs: [], cpuMs: 0, calls: 0 };
      const over = new AbortController();
      try {
        const given = JSON.parse(request.code) as AgentWork | FixedCalls;
        const value = await Promise.race([
          begin(given, request, { drivers, over: over.signal }),
          rejectWhenAborted(request.signal),
        ]);
        return { ok: true, value: { ...value }, ...facts };
      } catch (error) {
        return { ok: false, error: toRunError(error), ...facts };
      } finally {
        over.abort();
      }
    },
  };
}

interface LoopParts {
  readonly drivers: AgentDrivers;
  /** Aborted when the run has ended here. */
  readonly over: AbortSignal;
}

function begin(given: AgentWork | FixedCalls, request: RunRequest, { drivers, over }: LoopParts) {
  if ('calls' in given) return makeFixedCalls(given, createCaller(request));
  const { worker = 'helve' } = given;
  if (worker === 'helve') return work(given, createCaller(request));
  return drive(given, { driver: drivers[worker], call: createCaller(request, true), signal: over });
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
  if (error instanceof ToolCallError || error instanceof BudgetError || error instanceof RecipeError) {
    const { name, message, code } = error;
    return { name, message, code };
  }
  if (error instanceof HelveError) {
    const { code, hint } = error;
    return { name: 'HelveError', message: error.message, code, ...defined({ hint }) };
  }
  return { name: 'Error', message: error instanceof Error ? error.message : String(error) };
}

/**
 * Numbers the calls, and says after each answer that the loop waits again. A loop that is `driven` by an SDK does so only while it
 * waits for an answer: what the SDK does in between takes longer than a turn of the event loop.
 */
function createCaller(request: RunRequest, driven = false): Caller {
  const signal = request.signal ?? new AbortController().signal;
  let index = 0;
  let open = 0;
  // After the loop has done everything that it can do with the answer before.
  const rest = (): void => void setImmediate(() => (driven && open === 0 ? undefined : request.onIdle?.()));
  return async (name, input) => {
    open += 1;
    const answer = request.call(name, JSON.stringify(input), { index: index++, signal });
    rest();
    const text = await answer.finally(() => {
      open -= 1;
      rest();
    });
    return JSON.parse(text) as JsonValue;
  };
}

async function work(given: AgentWork, call: Caller): Promise<AgentResult> {
  const messages: ModelMessage[] = [{ role: 'user', text: given.prompt }];
  const turns = createTurns(given, call);
  const steps = createStepsLeft(given);
  for (;;) {
    const answer = await turns.ask(messages);
    const { text, calls, finish } = answer;
    const submitted = given.outputSchema && calls.find(({ name }) => name === submitName);
    const isEnd = submitted !== undefined || (calls.length === 0 && finish !== 'length');
    const early = isEnd ? steps.endEarly() : undefined;
    if (submitted && early === undefined) return { text, output: submitted.input, ...turns.used() };
    messages.push(...asSaid(answer));
    const said = early ?? nudge(answer, given);
    if (calls.length === 0 && said === undefined) return { text, ...turns.used() };
    // Without another answer, nobody would read what its calls answer.
    turns.check();
    if (calls.length === 0 && said !== undefined) messages.push({ role: 'user', text: said });
    else {
      const results = await Promise.all(
        calls.map((one) => (one === submitted ? tooEarly(one, said) : turns.make(one))),
      );
      steps.note(results);
      messages.push({ role: 'tool', results });
    }
  }
}

const tooEarly = ({ id, name }: ModelToolCall, said = ''): ModelToolResult => ({ id, name, text: said, isError: true });

/** The question that a step of the loop put to the model. Never throws: it was made here. */
export function readQuestion(input: unknown): {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly maxTokens: number;
  readonly outputSchema?: JsonObject;
} {
  return input as ReturnType<typeof readQuestion>;
}
