// Finds the checks of a source file, and how the code would be without each: an `if` that returns or throws is never taken,
// one half of an `&&` or `||` is missing, a call that throws is left out, a filter keeps everything, a predicate returns true.
import { parseAst } from 'vitest/node';

/** Calls whose only purpose is to throw. */
const guard = /^(?:require|check|refuse|assert|ensure|admit|verify)[A-Z]?/;
/** Predicates. */
const question = /^(?:is|may|can|has|sees|knows|allows|matches|satisfies|owns|covers)[A-Z]/;
const ends = new Set(['ThrowStatement', 'ReturnStatement', 'ContinueStatement']);

/**
 * The mutants of one file, in the order of the text: `{ line, kind, text, start, end, without }`. `without` is the expression that
 * replaces `start`…`end`; undefined: the statement there is left out.
 */
export function findMutants(source) {
  const found = [];
  const add = (node, kind, without) => {
    const line = source.slice(0, node.start).split('\n').length;
    const text = source.slice(node.start, node.end).replace(/\s+/g, ' ');
    found.push({ line, kind, text, start: node.start, end: node.end, without });
  };
  const textOf = (node) => source.slice(node.start, node.end);
  const halves = (node) => {
    if (node?.type === 'ParenthesizedExpression') return halves(node.expression);
    if (node?.type !== 'LogicalExpression' || node.operator === '??') return;
    add(node, `without the right side of ${node.operator}`, textOf(node.left));
    add(node, `without the left side of ${node.operator}`, textOf(node.right));
    halves(node.left);
    halves(node.right);
  };
  const answers = (name, body) => {
    if (!question.test(name) || !body) return;
    if (body.type !== 'BlockStatement') add(body, 'always yes', 'true');
    else {
      const last = body.body.at(-1);
      if (last?.type === 'ReturnStatement' && last.argument) add(last.argument, 'always yes', 'true');
    }
  };
  const visit = (node) => {
    if (node === null || typeof node !== 'object') return;
    if (Array.isArray(node)) return node.forEach(visit);
    switch (node.type) {
      case 'IfStatement': {
        const last = node.consequent.type === 'BlockStatement' ? node.consequent.body.at(-1) : node.consequent;
        if (ends.has(last?.type)) add(node.test, 'never', 'false');
        halves(node.test);
        break;
      }
      case 'ReturnStatement':
        halves(node.argument);
        break;
      case 'ArrowFunctionExpression':
        halves(node.body);
        break;
      case 'ConditionalExpression':
        halves(node.test);
        break;
      case 'VariableDeclarator':
        if (node.init?.type === 'ArrowFunctionExpression') answers(node.id.name ?? '', node.init.body);
        else halves(node.init);
        break;
      case 'FunctionDeclaration':
        answers(node.id?.name ?? '', node.body);
        break;
      case 'ExpressionStatement': {
        const call = node.expression.type === 'AwaitExpression' ? node.expression.argument : node.expression;
        const callee = call.type === 'CallExpression' ? call.callee : undefined;
        if (guard.test(callee?.name ?? callee?.property?.name ?? '')) add(node, 'left out', undefined);
        break;
      }
      case 'CallExpression':
        if (node.callee.property?.name === 'filter' && node.arguments.length === 1)
          add(node.arguments[0], 'keeps everything', '() => true');
        if (node.callee.property?.name === 'every') add(node, 'always yes', 'true');
        break;
    }
    for (const [key, value] of Object.entries(node)) if (key !== 'type' && typeof value === 'object') visit(value);
  };
  visit(parseAst(source, { lang: 'ts' }).body);
  return found;
}

/** The file with all its mutants, each inactive until `__mutant(id)` selects it. */
export function withMutants(source, mutants) {
  const inserts = mutants.flatMap(({ id, start, end, without }) => {
    const size = end - start;
    // In braces, because an `else` that follows would belong to a bare `if`.
    if (without === undefined)
      return [
        { at: start, text: `{ if (!__mutant(${id})) `, order: -size },
        { at: end, text: ' }', order: -1e9 + size },
      ];
    return [
      { at: start, text: `(__mutant(${id}) ? (${without}) : (`, order: -size },
      { at: end, text: '))', order: -1e9 + size },
    ];
  });
  // At the same place, ends come before starts; of two starts, the larger mutant comes first; of two ends, the smaller.
  inserts.sort((one, other) => one.at - other.at || one.order - other.order);
  let text = 'const __mutant = globalThis.__helveMutant ?? (() => false); ';
  let at = 0;
  for (const insert of inserts) {
    text += source.slice(at, insert.at) + insert.text;
    at = insert.at;
  }
  return text + source.slice(at);
}
