// What a competent model does with a task, in each way: a generator of turns. A turn is a list of calls, `{ name, arguments }`; it
// gets the texts that the tools answered. It knows only what it was sent: a tool that a search did not show, or an answer that it
// cannot read, is a failure.
import { isEnough } from '../../discovery/tokens/model.js';

const parse = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`The model cannot read this answer: ${text.slice(0, 300)}`);
  }
};

function* playDirectly(task) {
  const turns = task.turns();
  for (let step = turns.next(); ; ) {
    if (step.done) return step.value;
    const answers = yield step.value.map(([name, input]) => ({ name, arguments: input }));
    step = turns.next(answers.map(parse));
  }
}

/** The lines of the tools that the task needs, by name. All searches are made at once. */
function* search({ queries, tools }) {
  const found = yield queries.map((query) => ({ name: 'search_tools', arguments: { query } }));
  const lines = found.flatMap((text) => parse(text).tools);
  return new Map(
    tools.map((tool) => {
      const line = lines.find((one) => one.startsWith(`${tool}(`));
      if (line === undefined) throw new Error(`No search shows ${tool}: ${lines.join('\n')}`);
      return [tool, line];
    }),
  );
}

function* playWithMetaTools(task) {
  const lines = yield* search(task);
  const turns = task.turns();
  for (let step = turns.next(); ; ) {
    if (step.done) return step.value;
    const vague = [...new Set(step.value.flatMap(([name, input]) => (isEnough(lines.get(name), input) ? [] : [name])))];
    if (vague.length > 0) {
      const [described] = yield [{ name: 'describe_tools', arguments: { names: vague } }];
      if (!vague.every((name) => described.includes(name))) throw new Error(`Not described: ${vague}`);
      for (const name of vague)
        lines.set(
          name,
          `${name}(${Object.keys(step.value.find(([one]) => one === name)[1])
            .map((key) => `${key}: string`)
            .join(', ')})`,
        );
    }
    const calls = step.value.map(([tool, input]) => ({ name: 'call_tool', arguments: { tool, arguments: input } }));
    step = turns.next((yield calls).map(parse));
  }
}

/**
 * Searches for all the tools it needs, asks for the declarations that the searches did not show, and writes one
 * program; a second one if the first has an issue.
 */
function* playInCode(task) {
  const found = (yield task.queries.map((query) => ({ name: 'search_tools', arguments: { query } }))).map(parse);
  const isDeclared = (text, tool) =>
    text.includes(`function ${tool.replace(/_(\w)/g, (_, letter) => letter.toUpperCase())}(`);
  const missing = task.tools.filter(
    (tool) => !found.some(({ declarations }) => declarations && isDeclared(declarations, tool)),
  );
  const unseen = missing.filter(
    (tool) => !found.some(({ tools }) => tools.some((line) => line.startsWith(`${tool} — `))),
  );
  if (unseen.length > 0) throw new Error(`No search shows ${unseen}: ${JSON.stringify(found)}`);
  if (missing.length > 0) {
    const [described] = yield [{ name: 'describe_tools', arguments: { names: missing } }];
    const { declarations } = parse(described);
    if (!missing.every((tool) => isDeclared(declarations, tool))) throw new Error(`Not declared: ${described}`);
  }
  for (const code of [task.slip, task.program].filter((one) => one !== undefined)) {
    const [told] = yield [{ name: 'run_code', arguments: { code } }];
    const { status, value, issues } = parse(told);
    if (status === 'succeeded') return value;
    if (status !== 'refused' || code === task.program) throw new Error(`${told}\n${code}`);
    if (!issues?.length) throw new Error(`The model is not told what is wrong: ${told}`);
  }
}

export const ways = { direct: playDirectly, meta: playWithMetaTools, code: playInCode };
