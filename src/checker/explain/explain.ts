/** Says what the compiler complains of in one line that a model can act on. */
import { orDidYouMean } from '../../util/nearest.js';
import type { Node, Problem } from '../engine.js';
import { guestNames } from '../guest-lib.js';
import { brief } from '../meanings.js';
import type { Finding, Look } from '../rules/look.js';
import { shorten } from '../tree.js';
import { explainMember, explainSeveral } from './member.js';
import { explainMismatch } from './mismatch.js';
import { memberNames, nearestName, shortType } from './words.js';

/** What one kind of complaint says; `undefined`: as the compiler says it. */
export type Explain = (look: Look, node: Node, problem: Problem) => string | undefined;

const hostNames =
  /^(?:fetch|process|Buffer|window|document|fs|module|exports|__dirname|XMLHttpRequest|setInterval|setImmediate|global|crypto|performance|alert)$/;

const explanations = new Map<number, Explain>([
  ...[2304, 2552, 2503, 2663, 18004, 2580, 2581, 2582, 2583, 2584, 2591, 2592, 2593, 2812].map(
    (code) => [code, explainName] as const,
  ),
  ...[2339, 2551, 2550, 2570, 7053, 7015, 7017, 2694, 2724].map((code) => [code, explainMember] as const),
  ...[2322, 2820, 2345, 2353, 2561, 2739, 2740, 2741, 2559, 2769, 2352, 1360].map(
    (code) => [code, explainMismatch] as const,
  ),
  ...[2531, 2532, 2533, 18047, 18048, 18049].map((code) => [code, explainAbsent] as const),
  ...[2571, 18046].map((code) => [code, explainUnknown] as const),
  ...[2554, 2555].map((code) => [code, explainCount] as const),
  ...[2362, 2363].map((code) => [code, explainArithmetic] as const),
  [2367, explainComparison],
  [
    2801,
    ({ tree }, node) => `${brief(tree, node)} is a Promise, which is always true: write await ${brief(tree, node)}`,
  ],
  [7006, (look, node) => `${look.tree.show(node)} needs a type, as in (${look.tree.show(node)}: string)`],
  [7031, (look, node) => `${look.tree.show(node)} needs a type`],
  [2349, explainNotCallable],
  [2488, explainIteration],
  [2461, explainIteration],
  [2495, explainIteration],
  [2504, explainIteration],
]);

export function explain(look: Look, problem: Problem): Finding {
  const node = look.tree.at(problem.start, problem.end);
  const said = problem.isSyntax ? undefined : explanations.get(problem.code)?.(look, node, problem);
  const innermost = problem.causes.at(-1) ?? 'This is not right';
  return {
    start: problem.start,
    end: problem.end,
    message: shorten(said ?? plain(innermost), 300),
    tool: problem.isSyntax ? undefined : look.meanings.toolAround(node),
  };
}

function plain(text: string): string {
  return text.replace(/\.$/, '').replace(/'/g, '');
}

function explainName(look: Look, node: Node, { causes }: Problem): string | undefined {
  const name =
    /name '([^']+)'|namespace '([^']+)'|property '([^']+)'/
      .exec(causes[0] ?? '')
      ?.slice(1)
      .find(Boolean) ?? node.text;
  if (name === undefined) return undefined;
  const several = explainSeveral(look, name);
  if (several !== undefined) return several;
  const local = look.tree.declarations.flatMap((one) => one.name.text ?? []);
  const near = nearestName(name, [...look.known, ...look.meanings.namespaces.keys(), ...local, ...guestNames]);
  if (near === undefined && hostNames.test(name))
    return `A program has no ${name}: it reaches the outside only through its tools`;
  const used = look.tree.is(node.parent, 'PropertyAccessExpression');
  return `There is no ${used ? 'namespace or variable' : 'variable'} ${name}${orDidYouMean(near)}`;
}

function explainAbsent({ tree }: Look, node: Node, { code, causes }: Problem): string {
  const what = /'([^']+)' is possibly/.exec(causes[0] ?? '')?.[1] ?? tree.show(node);
  const absent =
    code === 18047 || code === 2531 ? 'null' : code === 18049 || code === 2533 ? 'null or undefined' : 'undefined';
  return `${shorten(what, 60)} may be ${absent}: check it first, or read its members with ?.`;
}

/** In an object with members that are not declared, a misspelt one is unknown too. */
function explainUnknown(look: Look, node: Node): string {
  const shown = look.tree.show(node);
  const { name, expression } = look.tree.is(node, 'PropertyAccessExpression') ? node : {};
  const declared = expression ? memberNames(look, look.typeOf(expression)) : [];
  const read = name?.text ?? '';
  const near = declared.includes(read) ? undefined : nearestName(read, declared);
  if (near !== undefined) return `${shown} is unknown${orDidYouMean(near)}`;
  const short = shorten(shown, 20);
  if (look.tree.is(look.tree.declarationOf(node)?.node.parent, 'CatchClause'))
    return `${shown} is unknown: write catch (${short}: any), or (${short} as Error).message`;
  return `${shown} is unknown: find out what it is first (typeof, Array.isArray), or say what you expect, as in (${short} as { id: number })`;
}

function explainArithmetic({ tree, typeOf, inspection: { types } }: Look, node: Node): string {
  const type = typeOf(node);
  const text = type ? types.typeToString(type) : '';
  const shown = brief(tree, node);
  if (text === 'Date') return `${shown} is a Date: write ${shorten(tree.show(node), 40)}.getTime()`;
  return `${shown} must be a number, not ${shortType(text)}`;
}

function explainCount(look: Look, node: Node, { causes }: Problem): string | undefined {
  const [, expected, given] = /Expected ([\w-]+(?: or \w+)*) arguments?, but got (\d+)/.exec(causes[0] ?? '') ?? [];
  if (expected === undefined) return undefined;
  const tool = look.meanings.toolAround(node);
  if (!tool) return `Expected ${expected} arguments, not ${given}`;
  const call = callAround(look, node);
  const parameters = call?.expression && parametersOf(look, call.expression);
  const what = expected === '0' ? 'no argument' : 'one object of parameters';
  return `${tool.namespace}.${tool.name} takes ${what}${parameters ? ` (${shortType(parameters)})` : ''}, not ${given} arguments`;
}

function callAround({ tree }: Look, node: Node): Node | undefined {
  let current: Node | undefined = node;
  while (current && !tree.is(current, 'CallExpression')) current = current.parent;
  return current;
}

function parametersOf({ inspection: { types }, typeOf }: Look, callee: Node): string | undefined {
  const type = typeOf(callee);
  const text = type && types.typeToString(type);
  return text && shorten(/^\(\w+\??: ([\s\S]*)\) => /.exec(text)?.[1] ?? '', 120);
}

function explainComparison(_: Look, __: Node, { causes }: Problem): string | undefined {
  const [, one, other] = /types '([\s\S]+)' and '([\s\S]+)' have no overlap/.exec(causes.join(' ')) ?? [];
  if (one === undefined || other === undefined) return undefined;
  if (/^Promise</.test(one) || /^Promise</.test(other)) return 'A Promise is compared: write await before the call';
  const value = /^"(.*)"$/.exec(other)?.[1];
  const choices = [...one.matchAll(/"([^"]*)"/g)].map((match) => match[1] ?? '');
  return `This is never equal: ${shortType(one)} is compared with ${shortType(other)}${orDidYouMean(value === undefined ? undefined : nearestName(value, choices))}`;
}

function explainNotCallable({ tree, meanings }: Look, node: Node): string {
  const meaning = meanings.of(node);
  if (meaning?.is === 'namespace') return `${meaning.namespace} is a namespace, not a function: call one of its tools`;
  return `${tree.show(node)} is not a function`;
}

function explainIteration(look: Look, node: Node, { causes }: Problem): string {
  const type = look.typeOf(node);
  const text = type ? look.inspection.types.typeToString(type) : '';
  const shown = brief(look.tree, node);
  if (text.startsWith('Promise<')) return `${shown} is a Promise: write await ${shown}`;
  if (/undefined|null/.test(causes.join(' '))) return `${shown} may be undefined: check it first`;
  return `${shown} is not a list but ${shorten(text, 120)}`;
}
