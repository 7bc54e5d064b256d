// A scripted model behind OpenAI's chat API (aimock), and a `fetch` that counts what goes in and out. It knows which tool is
// right, as a good model would after reading, but it knows only as much of the catalogue as it was sent: it chooses a tool only
// if its name was in the prompt or among the hits, and arguments only if their names were shown.
import { LLMock } from '@copilotkit/aimock';
import { tokensOfAnswer, tokensOfRequest } from './count.js';

const done = { content: 'Done.' };
const givenUp = { content: 'I have no tool for this.' };
const call = (name, input) => ({ toolCalls: [{ name, arguments: JSON.stringify(input) }] });

/** Keeps the tool's answer, so that the reason of a refused call is known. */
function end({ content }, trace) {
  trace.told = content;
  return done;
}

/** `rightOf(name)`: the arguments of the task for the tool of that name, undefined if it is not the right one. */
function actDirectly({ tools = [], messages }, { rightOf, trace }) {
  const last = messages.at(-1);
  if (last.role === 'tool') return end(last, trace);
  const found = tools.find(({ function: { name } }) => rightOf(name) !== undefined);
  return found ? call(found.function.name, rightOf(found.function.name)) : givenUp;
}

const read = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};

/** The types of the parameters that a line of a search shows, by name. */
export function shownParameters(line) {
  const [, signature = ''] = /^[^(\s]+\((.*?)\)(?: — |$)/s.exec(line) ?? [];
  const parts = signature.split(/, (?=[^ ]+\??: |…$)/);
  const pairs = parts.map((part) => /^(.+?)\??: (.+)$/s.exec(part)).filter((found) => found !== null);
  return new Map(pairs.map(([, name, type]) => [name, type]));
}

const vague = /^(?:any|object)(?:\[\])*$/;

/** Whether a line says enough to write these arguments. */
export function isEnough(line, input) {
  const shown = shownParameters(line);
  return Object.keys(input).every((name) => shown.has(name) && !vague.test(shown.get(name)));
}

const wordIn = (text, word) => new RegExp(`(?<![\\w$])${word.replaceAll('$', '\\$')}(?![\\w$])`).test(text);

function afterSearch(found, searches, { task, rightOf, trace }) {
  const lines = found.tools ?? [];
  const names = lines.map((line) => line.slice(0, line.indexOf('(')));
  const at = names.findIndex((name) => rightOf(name) !== undefined);
  trace.searches.push({ fits: found.fits, rank: at + 1, lines, note: found.note });
  // If it is told that nothing fits, it believes that, and asks in other words.
  if (searches === 1 && (at < 0 || found.fits === false)) return call('search_tools', { query: task.again });
  if (at < 0) return givenUp;
  const input = rightOf(names[at]);
  trace.chosen = names[at];
  if (isEnough(lines[at], input)) return call('call_tool', { tool: names[at], arguments: input });
  return call('describe_tools', { names: [names[at]] });
}

function afterDescription(text, { rightOf, trace }) {
  trace.described = true;
  const input = rightOf(trace.chosen);
  const described = (read(text).tools ?? []).map(({ declaration = '' }) => declaration).join('\n');
  const isShown = Object.keys(input).every((name) => wordIn(described, name));
  if (!isShown) trace.told = text;
  return isShown ? call('call_tool', { tool: trace.chosen, arguments: input }) : givenUp;
}

function actByMetaTools({ messages }, asked) {
  const calls = messages.flatMap(({ tool_calls: made = [] }) => made);
  const last = messages.at(-1);
  if (last.role !== 'tool') return call('search_tools', { query: asked.task.ask });
  const { name } = calls.at(-1).function;
  if (name === 'call_tool') return end(last, asked.trace);
  if (name === 'describe_tools') return afterDescription(last.content, asked);
  return afterSearch(read(last.content), calls.length, asked);
}

/** `act(asked)` sets the current task, `{ way, task, rightOf, trace }`. `turns`: the tokens of each turn since then. */
export async function startModel() {
  const server = new LLMock({ port: 0, host: '127.0.0.1', strict: true, journalMaxEntries: 1 });
  let asked;
  let turns = [];
  server.on({ predicate: () => true }, (request) =>
    (asked.way === 'all' ? actDirectly : actByMetaTools)(request, asked),
  );
  await server.start();
  return {
    url: `${server.url}/v1`,
    async fetch(input, init) {
      const sent = tokensOfRequest(JSON.parse(String(init.body)));
      const response = await fetch(input, init);
      const text = await response.text();
      if (!response.ok) throw new Error(`The model server answered ${response.status}: ${text.slice(0, 300)}`);
      turns.push({ ...sent, bytes: Buffer.byteLength(String(init.body)), answered: tokensOfAnswer(JSON.parse(text)) });
      return new Response(text, { status: response.status, headers: { 'content-type': 'application/json' } });
    },
    act(next) {
      asked = next;
      turns = [];
    },
    turns: () => turns,
    stop: () => server.stop(),
  };
}
