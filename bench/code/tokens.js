// Tokens that fifty tasks need at equal success: tools called directly, through the meta-tools, and in code mode. Tokens are
// o200k_base, of all that a model is sent and writes: definitions and conversation in every turn, arguments, answers, errors.
//   node bench/code/tokens.js [--door mcp|ai-sdk|both] [--tools bundled|office|both] [--every n] [--scale n]
import { parseArgs } from 'node:util';
import { openOffice } from './tasks/doors.js';
import { addUp, measure } from './tasks/measure.js';
import { tasks } from './tasks/tasks.js';

const { values } = parseArgs({
  options: {
    door: { type: 'string', default: 'both' },
    tools: { type: 'string', default: 'both' },
    every: { type: 'string', default: '1' },
    scale: { type: 'string', default: '1' },
  },
});
const chosen = tasks.filter((_, index) => index % Number(values.every) === 0);
const either = (value, ...all) => (value === 'both' ? all : [value]);
const shown = (number) => Math.round(number).toLocaleString('en');
let isMissed = false;

function report(rows) {
  for (const { task, way, succeeded, problem } of rows)
    if (!succeeded) console.log(`FAILED ${way}: ${task.ask}\n  ${problem}`);
  console.log(
    '\n| kind | tasks | direct | meta-tools | code | code ÷ better | counted once: direct | meta-tools | code |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|');
  for (const kind of [...new Set(rows.map(({ task }) => task.kind)), undefined]) {
    const { direct, meta, code } = addUp(rows, kind);
    const cells = [direct, meta, code].map(({ sent }) => shown(sent));
    const once = [direct, meta, code].map((way) => shown(way.once));
    const ratio = code.sent / Math.min(direct.sent, meta.sent);
    console.log(`| ${[kind ?? 'all', direct.of, ...cells, ratio.toFixed(2), ...once].join(' | ')} |`);
    if (kind === undefined && ratio > 0.5) isMissed = true;
  }
  const { direct, meta, code } = addUp(rows);
  console.log(
    `\nsuccess: ${[direct, meta, code].map(({ succeeded, of }) => `${succeeded} of ${of}`).join(', ')}; turns: ${[direct, meta, code].map(({ turns }) => turns).join(', ')}`,
  );
}

for (const set of either(values.tools, 'bundled', 'office')) {
  const opened = await openOffice({ bundled: set === 'bundled', scale: Number(values.scale) });
  for (const door of either(values.door, 'mcp', 'ai-sdk')) {
    const rows = await measure(opened, { tasks: chosen, door });
    const { tools } = rows.find(({ way, tools: count }) => way === 'direct' && count > 0);
    console.log(`\n## ${door}, an agent with ${tools} tools (${set})`);
    report(rows);
    if (rows.some(({ succeeded }) => !succeeded)) process.exitCode = 1;
  }
  await opened.close();
}
console.log(isMissed ? '\nThe bar of ½ is missed.' : '\nThe bar of ½ is met.');
