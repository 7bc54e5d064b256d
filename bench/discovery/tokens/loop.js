// Runs tasks in an agent loop of the AI SDK with a Helve, and checks them against Helve's record afterwards.
import { isDeepStrictEqual } from 'node:util';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, stepCountIs } from 'ai';

const instructions = 'You are an assistant with tools. Do what the person asks, then say so in a word.';
const mostSteps = 6;

/** The same plane, but it keeps the execution of each call, so that it can be looked up in the record. */
function keeping(helve, executions) {
  return {
    tools: (who) => helve.tools(who),
    async execute(asked) {
      const result = await helve.execute(asked);
      executions.push(result.executionId);
      return result;
    },
  };
}

/**
 * Runs each task separately: `{ task, way, tools, turns, trace, executions, error? }`. `setting`: `{ helve, toolsFor, model,
 * principal }`; `way`: `all` (every tool in the prompt) or `meta`; `rightOf(task)`: see model.js.
 */
export async function runTasks({ helve, toolsFor, model, principal }, way, tasks, rightOf) {
  const executions = [];
  const tools = await toolsFor(keeping(helve, executions), { principal });
  const { chat } = createOpenAI({ apiKey: 'none', baseURL: model.url, fetch: (...given) => model.fetch(...given) });
  const rows = [];
  for (const task of tasks) {
    const trace = { searches: [], described: false };
    const from = executions.length;
    model.act({ way, task, rightOf: rightOf(task), trace });
    let error;
    try {
      const asked = { system: instructions, prompt: task.ask, maxRetries: 1 };
      await generateText({ model: chat('gpt-4o'), tools, stopWhen: stepCountIs(mostSteps), ...asked });
    } catch (thrown) {
      error = String(thrown?.message ?? thrown);
    }
    const own = executions.slice(from);
    rows.push({ task, way, tools: Object.keys(tools).length, turns: model.turns(), trace, executions: own, error });
  }
  return rows;
}

/** Whether these arguments were given; the plane adds defaults. */
const holds = (recorded, input) =>
  Object.entries(input).every(([name, value]) => isDeepStrictEqual(recorded?.[name], value));

/**
 * The rows with `succeeded`: whether the record has exactly one successful call of the right tool with the right arguments. `events`: the audit; `rightTool(task, id)`: the arguments of the task for `{ toolkit, name }`, or undefined.
 */
export function judge(rows, events, rightTool) {
  const byExecution = new Map();
  for (const event of events) {
    if (event.executionId === undefined) continue;
    byExecution.set(event.executionId, [...(byExecution.get(event.executionId) ?? []), event]);
  }
  return rows.map((row) => {
    const calls = row.executions.flatMap((id) => {
      const told = byExecution.get(id) ?? [];
      const started = told.find(({ type }) => type === 'execution.started');
      const finished = told.find(({ type }) => type === 'execution.finished');
      const input = started && rightTool(row.task, started.tool);
      if (input === undefined) return [];
      return [holds(started.body.input, input) && finished?.body.status === 'ok'];
    });
    return { ...row, succeeded: calls.length === 1 && calls[0] === true };
  });
}
