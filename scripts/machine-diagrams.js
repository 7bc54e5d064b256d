// Draws the machines of tasks as Mermaid diagrams into docs/tasks.md, between their marks; with --check it only reports whether
// they are up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { statecharts } from '../dist/tasks/index.js';

const page = new URL('../docs/tasks.md', import.meta.url);
const text = readFileSync(page, 'utf8');
const drawn = Object.entries(statecharts).reduce((before, [name, { root }]) => {
  const mark = new RegExp(`(<!-- machine ${name} -->\\n)[\\s\\S]*?(<!-- end -->)`);
  if (!mark.test(before)) throw new Error(`docs/tasks.md has no place for the machine ${name}`);
  return before.replace(mark, (_, start, end) => `${start}\n${draw(root)}\n${end}`);
}, text);

if (!process.argv.includes('--check')) writeFileSync(page, drawn);
else if (drawn !== text) {
  console.error('docs/tasks.md is not up to date: npm run docs');
  process.exitCode = 1;
}

function draw(root) {
  const shown = new Set();
  const lines = ['```mermaid', 'stateDiagram-v2', ...inside(root, { indent: '  ', root, shown }), '```', ''];
  const others = [...new Set(eventsWithin(root))].filter((event) => !shown.has(event));
  if (others.length > 0)
    lines.push(`Without a change of state: ${others.map((event) => `\`${event}\``).join(', ')}.`, '');
  return lines.join('\n');
}

/** The states in a node: which is the first, the states in them, and the arrows between them. Notes in `shown` which events it shows. */
function inside(node, { indent, root, shown }) {
  const children = Object.values(node.states);
  const first = node.initial?.target?.[0];
  const lines = first ? [`${indent}[*] --> ${first.key}`] : [];
  for (const child of children) {
    if (Object.keys(child.states).length > 0)
      lines.push(
        `${indent}state ${child.key} {`,
        ...inside(child, { indent: `${indent}  `, root, shown }),
        `${indent}}`,
      );
    if (child.type === 'final') lines.push(`${indent}${child.key} --> [*]`);
  }
  return [...lines, ...arrows(node, root, shown).map((arrow) => `${indent}${arrow}`)];
}

/** One arrow for each two states directly in the node, with all events that lead from one to the other. */
function arrows(node, root, shown) {
  const labels = new Map();
  for (const child of Object.values(node.states)) {
    for (const { source, target, eventType, guard } of [...transitionsOf(child, root), ...outOf(node, child)]) {
      if (!target?.[0]) continue;
      const to = target[0];
      // What leads from a state to one inside it is drawn inside it.
      if (to !== source && isWithin(to, source) && source === child) continue;
      const label = `${eventType}${typeof guard === 'string' ? ` [${guard}]` : ''}`.trim();
      const arrow = `${child.key} --> ${to.key}`;
      labels.set(arrow, [...(labels.get(arrow) ?? []), label]);
      shown.add(eventType);
    }
  }
  return [...labels].map(([arrow, events]) => `${arrow}: ${[...new Set(events)].join(', ')}`);
}

/** What leads from the state around a child to one of the states in it, unless the child handles the event otherwise. */
function outOf(node, child) {
  if (!node.parent) return [];
  return [...node.transitions]
    .filter(([event]) => !child.transitions.has(event))
    .flatMap(([, transitions]) => transitions)
    .filter(({ target }) => target?.[0]?.parent === node);
}

function isWithin(node, outer) {
  return node === outer || Boolean(node.parent && isWithin(node.parent, outer));
}

/** Those of the state itself, and those of the whole machine that the state does not handle otherwise. */
function transitionsOf(node, root) {
  const own = [...node.transitions.values()].flat();
  const always = (node.always ?? []).map((one) => ({ ...one, source: node, eventType: '' }));
  if (node.parent !== root || node.type === 'final') return [...own, ...always];
  const inherited = [...root.transitions]
    .filter(([event]) => !node.transitions.has(event))
    .flatMap(([, transitions]) => transitions)
    .filter(({ target }) => target?.[0] && target[0] !== node)
    .map((one) => ({ ...one, source: node }));
  return [...own, ...always, ...inherited];
}

function descendants(node) {
  return Object.values(node.states).flatMap((child) => [child, ...descendants(child)]);
}

function eventsWithin(root) {
  return [root, ...descendants(root)].flatMap((node) => [...node.transitions.keys()]);
}
