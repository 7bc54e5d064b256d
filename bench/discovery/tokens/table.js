// The measurements as tables for people.
import { tokensOf } from './count.js';

const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);
const median = (numbers) => {
  const sorted = [...numbers].sort((a, b) => a - b);
  const half = sorted.length / 2;
  return Math.round((sorted[Math.floor(half - 0.5)] + sorted[Math.floor(half)]) / 2);
};
const shown = (number) => Math.round(number).toLocaleString('en');

/** What was sent and answered in all turns. */
export const tokensOfRow = ({ turns }) =>
  sum(turns.map(({ tools, messages, answered }) => tools + messages + answered));
/** The same without text that was sent before: the tokens that a provider with a prompt cache bills in full. */
const newTokensOfRow = ({ turns }) => {
  const { tools = 0, messages = 0, answered = 0 } = turns.at(-1) ?? {};
  return tools + messages + answered;
};
const longestPrompt = ({ turns }) => Math.max(0, ...turns.map(({ tools, messages }) => tools + messages));

const windows = [
  [1_000_000, '> 1M: no model'],
  [200_000, '> 200k: few models'],
  [128_000, '> 128k'],
];
const windowOf = (tokens) => windows.find(([most]) => tokens > most)?.[1] ?? 'fits';

export function summaryOf(rows) {
  const tokens = rows.map(tokensOfRow);
  const successes = rows.filter(({ succeeded }) => succeeded).length;
  return {
    successes,
    of: rows.length,
    total: sum(tokens),
    median: median(tokens),
    perSuccess: sum(tokens) / successes,
    unrepeated: median(rows.map(newTokensOfRow)),
    turns: sum(rows.map(({ turns }) => turns.length)) / rows.length,
    prompt: Math.max(...rows.map(longestPrompt)),
    bytes: Math.max(0, ...rows.flatMap(({ turns }) => turns.map(({ bytes }) => bytes))),
  };
}

/** Runs in pairs: every tool in the prompt, then the meta-tools, of one size. */
export function printTable(runs) {
  const columns = [
    'tools',
    'way',
    'success',
    'turns',
    'median',
    'unrepeated',
    'total',
    'per success',
    'ratio',
    'prompt',
  ];
  const lines = runs.map(({ size, way, rows }) => {
    const { perSuccess, ...told } = summaryOf(rows);
    const direct = summaryOf(runs.find((run) => run.size === size && run.way === 'all')?.rows ?? rows);
    return [
      shown(size),
      way === 'all' ? 'all in prompt' : 'meta-tools',
      `${told.successes}/${told.of}`,
      told.turns.toFixed(2),
      shown(told.median),
      shown(told.unrepeated),
      shown(told.total),
      shown(perSuccess),
      way === 'all' ? '1' : `1 : ${(direct.perSuccess / perSuccess).toFixed(1)}`,
      `${shown(told.prompt)} (${windowOf(told.prompt)})`,
    ];
  });
  for (const line of [columns, columns.map(() => '---'), ...lines]) console.log(`| ${line.join(' | ')} |`);
}

/** What the tokens of the meta-tools are spent on. */
function printParts(rows) {
  const turns = rows.flatMap((row) => row.turns);
  const definitions = sum(turns.map(({ tools }) => tools));
  const answered = sum(turns.map((turn) => turn.answered));
  const messages = sum(turns.map((turn) => turn.messages));
  const [total, share] = [definitions + messages + answered, (part) => `${Math.round((100 * part) / total)} %`];
  const answers = rows.flatMap(({ trace }) => trace.searches.map(({ lines }) => tokensOf(JSON.stringify(lines))));
  const hits = rows.flatMap(({ trace }) => trace.searches.flatMap(({ lines }) => lines.map((line) => tokensOf(line))));
  console.log(
    `  definitions ${shown(definitions / turns.length)} a turn, ${share(definitions)}; messages ${share(messages)}; ` +
      `answers of the model ${share(answered)}; hits of a search ${median(answers)}, a hit ${median(hits)}`,
  );
}

/** At which search the meta-tools found the right tool, and what they did not find. */
export function printDetails({ size, way, rows }, everything) {
  for (const { task, error, trace } of rows.filter(({ succeeded }) => !succeeded))
    console.log(`\n${size} ${way}: “${task.ask}” failed: ${error ?? trace.told?.slice(0, 600) ?? 'no tool'}`);
  if (way === 'all') return;
  const at = (row, search) => row.trace.searches[search]?.rank ?? 0;
  const first = rows.filter((row) => at(row, 0) > 0);
  const doubted = first.filter(({ trace }) => trace.searches[0].fits === false).length;
  const places = [1, 3, 8].map((most) => `${first.filter((row) => at(row, 0) <= most).length} in the first ${most}`);
  const again = rows.filter((row) => at(row, 0) === 0 && at(row, 1) > 0).length;
  const described = rows.filter(({ trace }) => trace.described).length;
  console.log(
    `\n${shown(size)} tools: first search ${places.join(', ')} (${doubted} said not to fit); second ${again}; described ${described}`,
  );
  printParts(rows);
  for (const row of rows) {
    if (!everything && row.succeeded && at(row, 0) > 0) continue;
    console.log(`  ${row.succeeded ? 'found late' : 'MISSED'}: “${row.task.ask}” (${row.task.tools[0].id})`);
    for (const [index, { fits, rank, lines, note }] of row.trace.searches.entries()) {
      console.log(`    search ${index + 1}: place ${rank || 'none'}, fits ${fits}${note ? `, note: ${note}` : ''}`);
      for (const line of everything || rank === 0 ? lines : []) console.log(`      ${line}`);
    }
  }
}
