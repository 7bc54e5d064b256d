/** Checks one program with one compiler: what the compiler says, and what our rules find. */
import type { CheckedProgram, CodeIssue } from '../domain/code.js';
import { defined } from '../util/defined.js';
import { type WrappedProgram, wrap } from '../util/program/index.js';
import type { Engine, Node, Problem } from './engine.js';
import { explain } from './explain/explain.js';
import { type Meanings, readMeanings } from './meanings.js';
import { findUnawaited } from './rules/awaiting.js';
import { findForbidden } from './rules/forbidden.js';
import { findHidden } from './rules/hiding.js';
import type { Finding, Look } from './rules/look.js';
import { readTree, type Tree } from './tree.js';

const maxIssues = 20;
const maxDepth = 200;
const syntaxIssues = 5;
const tooManyArguments = 2554;

export function inspectProgram(engine: Engine, program: CheckedProgram): readonly CodeIssue[] {
  if (/^\s*```/.test(program.code))
    return [{ line: 1, column: 1, message: 'A program is no Markdown: leave out the lines with ```' }];
  const wrapped = wrap(program.code);
  if (wrapped.depth > maxDepth)
    return [
      { line: 1, column: 1, message: `The program's brackets are nested more than ${maxDepth} deep: make it simpler` },
    ];
  // A comment may not switch the check off. The text is as long as before.
  const text = wrapped.text.replace(/@ts-(?=ignore|expect-error|nocheck|check)/g, '@ts_');
  const inspection = engine.inspect({ tools: printTools(program), program: text });
  const tree = readTree(inspection, text);
  const meanings = readMeanings(tree, program.namespaces);
  const known = new Map<Node, ReturnType<Look['typeOf']>>();
  const wrapper = findWrapper(tree, text);
  const findings: Finding[] = [];
  const isSyntax = inspection.problems.some((one) => one.isSyntax);
  // The compiler says where a bracket that is not closed should have been.
  if (!wrapper && !(isSyntax && wrapped.isOpen))
    findings.push({
      start: wrapped.prefix.length,
      end: text.length,
      message: 'The brackets of the program do not match: one too many is closed',
    });
  const look: Look = {
    inspection,
    tree,
    meanings,
    known: program.known,
    ambiguous: program.ambiguous ?? {},
    program: wrapper ?? inspection.root,
    typeOf(node) {
      if (!known.has(node)) known.set(node, inspection.types.getTypeAtLocation(node));
      return known.get(node);
    },
  };
  findings.push(...findForbidden(look));
  if (!isSyntax && wrapper) findings.push(...findHidden(look), ...findUnawaited(look));
  const problems = isSyntax ? inspection.problems.slice(0, syntaxIssues) : dropConsequences(inspection.problems);
  for (const problem of problems) {
    if (isEmptyInput(look, problem)) continue;
    const isKnown = findings.some(({ start, end }) => start < problem.end && problem.start < end);
    if (!isKnown) findings.push(explain(look, problem));
  }
  return readIssues(findings, { program, wrapped, meanings });
}

/** A parameter without a type is mostly the consequence of another mistake, such as a list that is not awaited. */
function dropConsequences(problems: readonly Problem[]): readonly Problem[] {
  const causes = problems.filter(({ code }) => code !== 7006 && code !== 7031);
  return causes.length > 0 ? causes : problems;
}

/** `{}` for a tool without parameters: its declaration takes no argument, and the call is the same. */
function isEmptyInput({ tree, meanings }: Look, { code, start, end }: Problem): boolean {
  if (code !== tooManyArguments) return false;
  const node = tree.at(start, end);
  const { arguments: given = [], expression } = node.parent;
  const isEmpty = tree.is(node, 'ObjectLiteralExpression') && node.properties?.length === 0;
  return isEmpty && given.length === 1 && expression !== undefined && meanings.of(expression)?.is === 'tool';
}

/** The namespaces, and `env` with each of them. */
function printTools({ namespaces }: CheckedProgram): string {
  const members = namespaces.map(({ namespace }) => `readonly ${namespace}: typeof ${namespace};`);
  return [...namespaces.map(({ text }) => text), `declare const env: { ${members.join(' ')} };`].join('\n');
}

/** The function of the wrapper, if the whole program is inside of it. */
function findWrapper(tree: Tree, text: string): Node | undefined {
  const statements = tree.nodes[0]?.statements ?? [];
  const [statement] = statements;
  const brackets = statement?.expression;
  const wrapper = brackets?.expression;
  if (statements.length !== 1 || !tree.is(brackets, 'ParenthesizedExpression') || !tree.is(wrapper, 'ArrowFunction'))
    return undefined;
  return wrapper.end === text.length - 1 && brackets.end === text.length ? wrapper : undefined;
}

interface Source {
  readonly program: CheckedProgram;
  readonly wrapped: WrappedProgram;
  readonly meanings: Meanings;
}

function readIssues(
  findings: readonly Finding[],
  { program: { code }, wrapped, meanings }: Source,
): readonly CodeIssue[] {
  const seen = new Set<number>();
  const issues: CodeIssue[] = [];
  for (const { start, message, tool } of [...findings].sort((one, other) => one.start - other.start)) {
    const offset = Math.min(Math.max(start - wrapped.prefix.length, 0), code.length);
    if (seen.has(offset)) continue;
    seen.add(offset);
    const name = tool && meanings.namespaces.get(tool.namespace)?.tools[tool.name];
    issues.push({ ...placeOf(code, offset), message: message.replace(/\s+/g, ' ').trim(), ...defined({ tool: name }) });
    if (issues.length === maxIssues) break;
  }
  return issues;
}

function placeOf(code: string, offset: number): { readonly line: number; readonly column: number } {
  const before = code.slice(0, offset);
  const lines = before.split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}
