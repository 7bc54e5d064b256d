/**
 * An agent's work with the loop of another SDK. The SDK asks for answers of the model and for results of calls, and gets both from here:
 * the questions, the calls and their order are those of the run's ledger, so a replay of the SDK's loop finds in it what was paid for and
 * done. The calls of an answer are begun together, as in Helve's own loop, before the SDK asks for the first result.
 */
import type { AgentDriver } from '../../domain/agent-driver.js';
import type { AgentResult, AgentWork, ModelAnswer, ModelMessage, ModelToolResult } from '../../domain/agent-model.js';
import { HelveError } from '../../domain/errors.js';
import {
  askPersonName,
  asSaid,
  type Caller,
  createTurns,
  nudge,
  submitName,
  type Turns,
  toolNamesName,
} from './turns.js';

export interface DriveParts {
  readonly driver: AgentDriver;
  readonly call: Caller;
  readonly signal: AbortSignal;
}

const never = (): Promise<never> => new Promise(() => {});

export async function drive(given: AgentWork, { driver, call, signal }: DriveParts): Promise<AgentResult> {
  const { system, prompt, outputSchema } = given;
  const turns = createTurns(given, call);
  const named = (await call(toolNamesName, {})) as string[];
  const tools = [...named, askPersonName, ...(outputSchema === undefined ? [] : [submitName])];
  const results = new Map<string, Promise<ModelToolResult>>();
  return new Promise((resolve, reject) => {
    /** The end of the work does not depend on what the SDK makes of it. */
    async function ask(messages: readonly ModelMessage[]): Promise<ModelAnswer> {
      try {
        const next = await nextAnswer(given, turns, messages);
        const submitted = outputSchema && next.calls.find(({ name }) => name === submitName);
        if (!submitted) return begin(next);
        resolve({ text: next.text, output: submitted.input, ...turns.used() });
      } catch (error) {
        reject(error);
      }
      return never();
    }

    function begin(answer: ModelAnswer): ModelAnswer {
      const { steps } = turns.used();
      const calls = answer.calls.map((one, at) => ({ ...one, id: `call_${steps}_${at + 1}` }));
      for (const one of calls) {
        const result = turns.make(one);
        result.catch(reject);
        results.set(one.id, result);
      }
      return { ...answer, calls };
    }

    const resultOf = (id: string): Promise<ModelToolResult> => {
      const result = results.get(id);
      if (result) return result;
      return Promise.reject(new HelveError('internal', `No answer of the model has a call ${id}`));
    };
    driver
      .drive({ system, prompt, tools, ask, resultOf, signal })
      .then((text) => resolve({ text, ...turns.used() }))
      .catch(reject);
  });
}

/** One that ends the work or has calls. What the model says until then is one text for the SDK. */
async function nextAnswer(given: AgentWork, turns: Turns, messages: readonly ModelMessage[]): Promise<ModelAnswer> {
  const more: ModelMessage[] = [];
  let said = '';
  for (;;) {
    const answer = await turns.ask([...messages, ...more]);
    const text = said + answer.text;
    const isSubmitted = given.outputSchema && answer.calls.some(({ name }) => name === submitName);
    const next = nudge(answer, given);
    if (isSubmitted || (answer.calls.length === 0 && next === undefined)) return { ...answer, text };
    turns.check();
    if (next === undefined) return { ...answer, text };
    said = text;
    more.push(...asSaid(answer), { role: 'user', text: next });
  }
}
