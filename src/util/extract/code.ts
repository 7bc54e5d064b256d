/** Reads source code: all lines in pieces and, if there is a grammar (tree-sitter), each declared symbol. */

import { requirePackage } from '../packages.js';
import { findGrammars } from './assets.js';
import { addElement, finish, flushText, newBuilder } from './build.js';
import type { Extracted, SymbolFacts } from './elements.js';
import { declaredKinds } from './kinds.js';
import { languageName } from './languages.js';
import type { Builder } from './model.js';

export interface SyntaxNode {
  readonly type: string;
  readonly text: string;
  readonly startPosition: { readonly row: number };
  readonly endPosition: { readonly row: number };
  readonly namedChildren: readonly (SyntaxNode | null)[];
  childForFieldName(name: string): SyntaxNode | null;
}

export async function extractCode(code: string, language: string): Promise<Extracted> {
  const builder = newBuilder();
  await addCode(builder, code.replace(/\r\n?/g, '\n'), language, 1);
  return finish(builder);
}

/** `firstLine` is undefined if the code is part of a source without lines. */
export async function addCode(
  builder: Builder,
  code: string,
  named: string | undefined,
  firstLine: number | undefined,
): Promise<void> {
  flushText(builder);
  const language = named === undefined ? undefined : languageName(named);
  const rows = code.split('\n');
  const known = language === undefined ? {} : { language };
  const splitLines = (from: number, to: number) =>
    firstLine === undefined ? undefined : ([firstLine + from, firstLine + to] as const);
  let start = 0;
  let chars = 0;
  const flush = (end: number): void => {
    const piece = rows.slice(start, end + 1).join('\n');
    const numbers =
      firstLine === undefined ? {} : { rows: rows.slice(start, end + 1).map((_, at) => start + at + firstLine) };
    if (piece.length <= 4_000) addElement(builder, 'code', piece, { ...known, ...numbers }, splitLines(start, end));
    // One line that is longer than a piece, such as minified code.
    else
      for (let at = 0; at < piece.length; at += 4_000)
        addElement(builder, 'code', piece.slice(Math.max(0, at - 100), at + 4_000), known, splitLines(start, end));
    start = end + 1;
    chars = 0;
  };
  rows.forEach((row, index) => {
    if (index > start && chars + row.length > 2_000) flush(index - 1);
    chars += row.length + 1;
    if (index - start >= 39 || chars > 2_000) flush(index);
  });
  if (start < rows.length) flush(rows.length - 1);
  const grammar = language === undefined ? undefined : readGrammar(language);
  if (grammar === undefined || code.length > 2_000_000) return;
  const symbols = await readSymbols(code, rows, grammar);
  if (!symbols) builder.notes.push('The code could not be parsed in time: it is found by its text only.');
  for (const { symbol, from, to, text } of symbols ?? []) {
    addElement(builder, 'symbol', text, { ...known, place: { symbol } }, splitLines(from, to));
  }
}

function readGrammar(language: string): string | undefined {
  const grammars: Record<string, string> = {
    typescript: 'typescript',
    tsx: 'tsx',
    javascript: 'javascript',
    python: 'python',
    go: 'go',
    rust: 'rust',
    java: 'java',
    c: 'cpp',
    cpp: 'cpp',
    csharp: 'c-sharp',
    ruby: 'ruby',
    php: 'php',
    bash: 'bash',
  };
  return Object.hasOwn(grammars, language) ? grammars[language] : undefined;
}

export interface FoundSymbol {
  readonly symbol: SymbolFacts;
  /** Rows, from 0. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export interface Visit {
  readonly node: SyntaxNode;
  /**
   * Types of the enclosing nodes, the nearest first. They are passed down, because asking a node for its parent
   * searches from the root again.
   */
  readonly above: readonly string[];
  /** Names of the enclosing declarations, and the kind of the nearest. */
  readonly container: string;
  readonly within: string;
  readonly depth: number;
}

interface SyntaxParser {
  setLanguage(language: unknown): void;
  parse(code: string, old: null, options: object): SyntaxTree | null;
  delete(): void;
}

async function getParser(grammar: string): Promise<SyntaxParser> {
  const { Parser, Language } = requirePackage<{
    Parser: { new (): SyntaxParser; init(): Promise<void> };
    Language: { load(path: string): Promise<unknown> };
  }>('web-tree-sitter', 'knowledge');
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(await Language.load(`${findGrammars()}/tree-sitter-${grammar}.wasm`));
  return parser;
}

async function readSymbols(code: string, rows: readonly string[], grammar: string): Promise<FoundSymbol[] | undefined> {
  const parser = await getParser(grammar);
  // On a text that is not code, the grammar can take minutes.
  const deadline = Date.now() + 5_000;
  const tree = parser.parse(code, null, { progressCallback: () => Date.now() > deadline });
  const found = tree ? symbolsIn(tree.rootNode, rows) : undefined;
  tree?.delete();
  parser.delete();
  return found;
}

function symbolsIn(root: SyntaxNode, rows: readonly string[]): FoundSymbol[] {
  const found: FoundSymbol[] = [];
  const pending: Visit[] = [{ node: root, above: [], container: '', within: '', depth: 0 }];
  const kinds = declaredKinds();
  for (let visit = pending.pop(); visit !== undefined && found.length < 20_000; visit = pending.pop()) {
    const { node, container } = visit;
    const kind = getKind(kinds, visit);
    const name = kind === undefined ? undefined : getName(node);
    if (kind !== undefined && kind !== 'implementation' && name !== undefined) {
      const symbol = { name, kind, ...(container === '' ? {} : { container }) };
      const [from, to] = [node.startPosition.row, node.endPosition.row];
      found.push({ symbol, from, to, text: symbolText(rows, node, symbol) });
    }
    const around = aroundChildren(visit, kind, name);
    for (const child of [...node.namedChildren].reverse()) if (child) pending.push({ node: child, ...around });
  }
  return found;
}

/** What is passed down to the children of a node about the nodes around them. */
function aroundChildren(visit: Visit, kind: string | undefined, name: string | undefined): Omit<Visit, 'node'> {
  const { node, container, within, depth } = visit;
  const above = [node.type, visit.above[0] ?? ''];
  if (kind === undefined) return { above, container, within, depth };
  const inner = { above, within: kind, depth: depth + 1 };
  if (name === undefined || /^(?:constant|variable|field)$/.test(kind)) return { ...inner, container };
  return { ...inner, container: container === '' ? name : `${container}.${name}`.slice(-300) };
}

export interface SyntaxTree {
  readonly rootNode: SyntaxNode;
  delete(): void;
}

/** `depth`: the number of enclosing declarations; variables inside a function are left out. */
function getKind(kinds: Readonly<Record<string, string>>, visit: Visit): string | undefined {
  const {
    node: { type },
    above,
    within,
  } = visit;
  const kind = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  // In Python's grammar, the whole file is a module.
  if (kind === 'module' && above.length === 0) return undefined;
  if (kind === 'function' && /^(?:class|implementation|trait|interface|struct)$/.test(within)) return 'method';
  return kind ?? getVariableKind(visit);
}

function getVariableKind({ node: { type }, above, depth }: Visit): string | undefined {
  if (type === 'variable_declarator' && depth === 0) return 'variable';
  if (type === 'variable_declarator' && above.includes('field_declaration')) return 'field';
  if (type === 'var_spec' && depth === 0) return 'variable';
  if (type === 'assignment' && depth <= 1 && above[0] !== 'assignment') return 'variable';
  return undefined;
}

/** Undefined if the node has no name of its own: a type that is only used, `x.y = 1`. */
function getName(node: SyntaxNode): string | undefined {
  if (/^(?:struct|class|enum|union)_specifier$/.test(node.type) && !node.childForFieldName('body')) return undefined;
  const text = getNameNode(node)
    ?.text.replace(/<[\s\S]*$/, '')
    .trim();
  const isName = text !== undefined && /^[\p{L}\p{N}_$@~:?!#=\\]{1,200}$/u.test(text);
  return isName ? text : undefined;
}

/** The fields that have the name in nodes without the field `name`. */
const nameFields: ReadonlyMap<string, string> = new Map([
  ['impl_item', 'type'],
  ['assignment', 'left'],
  ['field_definition', 'property'],
  ['public_field_definition', 'property'],
]);

function getNameNode(node: SyntaxNode): SyntaxNode | null | undefined {
  const field = node.childForFieldName('name') ?? node.childForFieldName(nameFields.get(node.type) ?? 'declarator');
  let inner = node.type === 'const_element' ? (field ?? node.namedChildren[0]) : field;
  // In C, the name is nested inside its declarator: a pointer to a function of …
  for (let depth = 0; inner && depth < 20; depth += 1) {
    const next: SyntaxNode | null = inner.childForFieldName('declarator');
    if (!next) break;
    inner = next;
  }
  return inner;
}

/** The declaration, and the comment above it or the documentation at its beginning. */
function symbolText(rows: readonly string[], node: SyntaxNode, { name, container }: SymbolFacts): string {
  const [from, to] = [node.startPosition.row, node.endPosition.row];
  let first = from;
  while (
    first > 0 &&
    from - first < 15 &&
    /^\s*(?:\/\/|\/?\*|#(?!include|define)|--|@|\[|\/\/\/)/.test(rows[first - 1] ?? '')
  )
    first -= 1;
  let last = from;
  while (last < Math.min(to, from + 6) && !/[{:;]\s*$/.test(rows[last] ?? '')) last += 1;
  const inside = (rows[last + 1] ?? '').trim();
  const words =
    /^(?:[rub]?"""|[rub]?'''|["'])/i.test(inside) && last < to ? rows.slice(last + 1, Math.min(to, last + 6) + 1) : [];
  const head = container === undefined ? [] : [`${container}.${name}`];
  return [...head, ...rows.slice(first, last + 1), ...words].join('\n').slice(0, 1_500);
}
