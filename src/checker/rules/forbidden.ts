/** What no program may hold: imports, declarations of things outside of it, code made from text, and what the sandbox does not have. */
import type { Node } from '../engine.js';
import { memberName } from '../meanings.js';
import { type Finding, find, type Look } from './look.js';

const declarations = 'declares what exists outside of the program; the tools are declared already';
/** By kind of node. */
const refused: Readonly<Record<string, string>> = {
  ImportDeclaration: 'import',
  ImportEqualsDeclaration: 'import',
  ImportType: 'import',
  ImportKeyword: 'import',
  ModuleDeclaration: `A namespace ${declarations}`,
  NamespaceExportDeclaration: `This ${declarations}`,
  ExportDeclaration: 'A program exports nothing but its default: write "export default async () => …"',
  ExportAssignment: 'A program has one default export, an async function: write "export default async () => …"',
  DeclareKeyword: `"declare" ${declarations}`,
  WithStatement: '"with" is not allowed',
};

/** The parts of the compiler's libraries that the sandbox lacks. */
const absent = /^(?:Intl|WeakRef|FinalizationRegistry|SharedArrayBuffer|Atomics)$/;
/** By method: how many arguments it takes without a language, a format or a time zone, which the sandbox would ignore. */
const withoutLocale: ReadonlyMap<string | undefined, number> = new Map([
  ['toLocaleString', 0],
  ['toLocaleDateString', 0],
  ['toLocaleTimeString', 0],
  ['toLocaleUpperCase', 0],
  ['toLocaleLowerCase', 0],
  ['localeCompare', 1],
]);

export function findForbidden({ tree, inspection, meanings, known }: Look): readonly Finding[] {
  const example = [...meanings.namespaces.keys()][0] ?? known[0];
  const noImports = `A program has no imports: the tools are globals${example === undefined ? '' : `, such as ${example}`}`;
  const findings: Finding[] = [];
  for (const node of tree.nodes) {
    const kind = inspection.kindOf(node);
    const message = refused[kind];
    if (message !== undefined)
      findings.push(find(kind === 'ImportKeyword' ? whole(node) : node, message === 'import' ? noImports : message));
    else if (kind === 'Identifier') findings.push(...findGlobal(node));
    else if (kind === 'PropertyAccessExpression' || kind === 'ElementAccessExpression')
      findings.push(...findConstructor(node));
    else if (kind === 'CallExpression') findings.push(...findLocale(node));
  }
  return findings;

  function whole(keyword: Node): Node {
    return tree.is(keyword.parent, 'CallExpression') ? keyword.parent : keyword;
  }

  function findGlobal(node: Node): readonly Finding[] {
    const isAbsent = absent.test(node.text ?? '');
    if (!isAbsent && !/^(?:eval|Function|require)$/.test(node.text ?? '')) return [];
    if (!tree.isReference(node) || tree.declarationOf(node)) return [];
    if (isAbsent) return [find(node, `A program has no ${node.text}`)];
    if (node.text === 'require') return [find(node, noImports)];
    // `value instanceof Function` makes nothing.
    if (node.text === 'Function' && tree.is(node.parent, 'BinaryExpression')) return [];
    return [find(node, `${node.text} makes code from text, which cannot be checked: write the code itself`)];
  }

  function findLocale({ expression, arguments: given = [] }: Node): readonly Finding[] {
    if (!tree.is(expression, 'PropertyAccessExpression', 'ElementAccessExpression')) return [];
    const name = memberName(tree, expression);
    const tooMany = given[withoutLocale.get(name) ?? given.length];
    if (tooMany === undefined) return [];
    const advice = 'leave that out, and write the text from the parts of the value';
    return [find(tooMany, `${name} does not support languages, formats and time zones in a program: ${advice}`)];
  }

  function findConstructor(node: Node): readonly Finding[] {
    const name = tree.is(node, 'PropertyAccessExpression') ? node.name?.text : node.argumentExpression?.text;
    if (name !== 'constructor' || !tree.is(node.parent, 'CallExpression', 'NewExpression')) return [];
    return [find(node, 'A constructor that is called by this name makes code from text: write the code itself')];
  }
}
