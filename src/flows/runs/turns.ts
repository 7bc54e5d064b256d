/** The turns of an agent's work, whichever loop decides about them: a question to the model, and the calls of its answer. */
import type { AgentWork, ModelAnswer, ModelMessage, ModelToolCall, ModelToolResult } from '../../domain/agent-model.js';
import { type ErrorBody, HelveError } from '../../domain/errors.js';
import type { JsonValue } from '../../domain/json.js';
import { askName } from '../code/index.js';
import { ToolCallError } from './answers.js';
import { BudgetError, createBudget } from './budget.js';
import { followProgram, settledName, startsProgram } from './programs.js';
import { finishStepName, stepFinishedName } from './recipe-steps.js';

/** The names of what only a loop itself does, among the calls of a run. No tool has a dot in its model-facing name. */
export const modelName = 'model.answer';
export const toolNamesName = 'model.tools';
/** What the model calls to ask a person, and to hand in its result. */
export const askPersonName = 'ask_person';
export const submitName = 'submit_result';

const maxAnswerTokens = 8_192;
/** Characters of all messages: beyond it, results of earlier calls are left out, oldest first. */
const maxContextChars = 400_000;
const keptResults = 4;
const ownSteps: readonly string[] = [modelName, toolNamesName, settledName, stepFinishedName];

/** What the model said, for its next question. An empty answer, or one of blanks, is left out: services refuse such a message. */
export const asSaid = ({ text, calls }: Pick<ModelAnswer, 'text' | 'calls'>): readonly ModelMessage[] =>
  calls.length === 0 && text.trim() === '' ? [] : [{ role: 'assistant', text, calls }];

/** Makes a call of the run: its answer comes from the ledger if it is there. */
export type Caller = (name: string, input: JsonValue) => Promise<JsonValue>;

export interface Turns {
  /**
   * Throws `BudgetError` if the model must not be asked, or if nobody can know what the answer cost, and `upstream_failed` if it says
   * nothing twice in a row.
   */
  ask(messages: readonly ModelMessage[]): Promise<ModelAnswer>;
  /** Throws `BudgetError` if the model will not be asked again: then nobody would read what its calls answer. */
  check(): void;
  /** An error of a tool is a result: the model can correct itself. */
  make(call: ModelToolCall): Promise<ModelToolResult>;
  readonly used: () => { readonly steps: number; readonly tokens: number };
}

export function createTurns(given: AgentWork, call: Caller): Turns {
  const { system, maxSteps, outputSchema } = given;
  const budget = createBudget(given);
  let steps = 0;
  let wasSilent = false;
  return {
    async ask(messages) {
      if (steps >= maxSteps)
        throw new BudgetError(`The work has used all of its ${maxSteps} steps and is not finished`);
      if (steps === 0) budget.check();
      steps += 1;
      const asked = { system, messages: shorten(messages), maxTokens: maxAnswerTokens };
      const question = outputSchema === undefined ? asked : { ...asked, outputSchema };
      const answer = (await call(modelName, question as unknown as JsonValue)) as unknown as ModelAnswer;
      budget.spend(answer);
      if (wasSilent && isSilent(answer))
        throw new HelveError(
          'upstream_failed',
          'The model answered twice with nothing: it may refuse what the issue or a tool says',
        );
      wasSilent = isSilent(answer);
      return answer;
    },
    check: budget.check,
    make: (one) => make(one, call, given),
    used: () => ({ steps, tokens: budget.tokens() }),
  };
}

/** A filter of the provider does that too. It is no sign that the work is done. */
const isSilent = ({ text, calls, finish }: ModelAnswer): boolean =>
  calls.length === 0 && finish !== 'length' && text.trim() === '';

/** The message to a model whose answer makes no calls; undefined if that answer ends the work. */
export function nudge(answer: ModelAnswer, { outputSchema }: AgentWork): string | undefined {
  const { calls, finish } = answer;
  if (calls.length > 0) return undefined;
  if (finish === 'length') return 'Your answer was cut off because it was too long. Go on, in smaller parts.';
  if (outputSchema) return `Hand in the result with ${submitName}, or go on with the work.`;
  return isSilent(answer) ? 'Your answer was empty. Go on, or if the work is done, say what you did.' : undefined;
}

/**
 * The answer to a model that calls what only the loop may do, which would bypass the counting of its steps and tokens.
 */
const noTool = (name: string): ErrorBody => ({
  code: 'not_found',
  message: `There is no tool ${name}`,
  hint: 'Call one of your tools.',
  retryable: false,
});

/** How the ledger names what the model calls. */
function ledgerName(name: string, hasSteps: boolean): string {
  if (name === askPersonName) return askName;
  return hasSteps && name === finishStepName ? stepFinishedName : name;
}

async function make(
  { id, name, input }: ModelToolCall,
  call: Caller,
  { waitsWithPrograms, recipe }: AgentWork,
): Promise<ModelToolResult> {
  try {
    if (ownSteps.includes(name)) throw new ToolCallError(noTool(name));
    const told = await call(ledgerName(name, recipe !== undefined), input);
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
