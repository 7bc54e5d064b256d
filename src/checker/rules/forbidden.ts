/** What no program may hold: imports, declarations of things outside of it, and code made from text. */
import type { Node } from '../engine.js';
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
  }
  return findings;

  function whole(keyword: Node): Node {
    return tree.is(keyword.parent, 'CallExpression') ? keyword.parent : keyword;
  }

  function findGlobal(node: Node): readonly Finding[] {
    if (!/^(?:eval|Function|require)$/.test(node.text ?? '')) return [];
    if (!tree.isReference(node) || tree.declarationOf(node)) return [];
    if (node.text === 'require') return [find(node, noImports)];
    // `value instanceof Function` makes nothing.
    if (node.text === 'Function' && tree.is(node.parent, 'BinaryExpression')) return [];
    return [find(node, `${node.text} makes code from text, which cannot be checked: write the code itself`)];
  }

  function findConstructor(node: Node): readonly Finding[] {
    const name = tree.is(node, 'PropertyAccessExpression') ? node.name?.text : node.argumentExpression?.text;
    if (name !== 'constructor' || !tree.is(node.parent, 'CallExpression', 'NewExpression')) return [];
    return [find(node, 'A constructor that is called by this name makes code from text: write the code itself')];
  }
}
