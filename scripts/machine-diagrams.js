// Draws the machines of tasks as Mermaid diagrams into docs/tasks.md, between their marks; with --check it only reports whether
// they are up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { describeMachine, statecharts } from '../dist/tasks/index.js';

const page = new URL('../docs/tasks.md', import.meta.url);
const text = readFileSync(page, 'utf8');
const drawn = Object.entries(statecharts).reduce((before, [name, statechart]) => {
  const mark = new RegExp(`(<!-- machine ${name} -->\\n)[\\s\\S]*?(<!-- end -->)`);
  if (!mark.test(before)) throw new Error(`docs/tasks.md has no place for the machine ${name}`);
  return before.replace(mark, (_, start, end) => `${start}\n${draw(describeMachine(name, statechart))}\n${end}`);
}, text);

if (!process.argv.includes('--check')) writeFileSync(page, drawn);
else if (drawn !== text) {
  console.error('docs/tasks.md is not up to date: npm run docs');
  process.exitCode = 1;
}

function draw(machine) {
  const lines = ['```mermaid', 'stateDiagram-v2', ...inside(machine, undefined, '  '), '```', ''];
  if (machine.staying.length > 0)
    lines.push(`Without a change of state: ${machine.staying.map((event) => `\`${event}\``).join(', ')}.`, '');
  return lines.join('\n');
}

/** The states in one, or the outermost: which is the first, the states in them, and the arrows between them. */
function inside(machine, outer, indent) {
  const children = machine.states.filter(({ within }) => within === outer);
  const first = children.find(({ isFirst }) => isFirst);
  const lines = first ? [`${indent}[*] --> ${nameOf(first.id)}`] : [];
  for (const { id, isFinal } of children) {
    const inner = inside(machine, id, `${indent}  `);
    if (inner.length > 0) lines.push(`${indent}state ${nameOf(id)} {`, ...inner, `${indent}}`);
    if (isFinal) lines.push(`${indent}${nameOf(id)} --> [*]`);
  }
  const ids = new Set(children.map(({ id }) => id));
  return [...lines, ...arrows(machine.transitions.filter(({ from }) => ids.has(from))).map((arrow) => indent + arrow)];
}

/** One arrow for each two states, with all events that lead from one to the other. */
function arrows(transitions) {
  const labels = new Map();
  for (const { from, to, event = '', guard } of transitions) {
    const label = `${event}${guard === undefined ? '' : ` [${guard}]`}`.trim();
    const arrow = `${nameOf(from)} --> ${nameOf(to)}`;
    labels.set(arrow, [...(labels.get(arrow) ?? []), label]);
  }
  return [...labels].map(([arrow, events]) => `${arrow}: ${[...new Set(events)].join(', ')}`);
}

function nameOf(id) {
  return id.split('.').at(-1);
}
