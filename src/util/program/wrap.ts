/**
 * The three forms of a program are one: `wrap` gives the text of an async function that does what the program says. It is
 * this text that is checked, and this text without its types that runs, so the two cannot differ.
 */
import { type Token, tokenize } from './tokens.js';

/** Statements with `await` and `return`; a module with `export default`; an async function by itself. */
type ProgramForm = 'statements' | 'module' | 'function';

export interface WrappedProgram {
  readonly form: ProgramForm;
  /** `prefix + body + suffix`: one expression, a function without parameters that answers what the program returns. */
  readonly text: string;
  readonly prefix: string;
  /** Has the length of the program: each of its characters is where the model wrote it. */
  readonly body: string;
  readonly suffix: string;
  /** Nesting depth of its brackets. */
  readonly depth: number;
  /** Whether a bracket is not closed. */
  readonly isOpen: boolean;
}

const main = '$program';

export function wrap(code: string): WrappedProgram {
  const tokens = tokenize(code);
  const depth = tokens.reduce((deepest, token) => Math.max(deepest, token.depth), 0);
  const last = tokens.at(-1);
  const isOpen = last !== undefined && (last.depth > 0 || /^[([{]$/.test(last.text));
  const make = (form: ProgramForm, inside: readonly [before: string, body: string, after: string]): WrappedProgram => {
    const prefix = `(async () => {${inside[0]}`;
    const suffix = `\n${inside[2]}})`;
    return { form, text: prefix + inside[1] + suffix, prefix, body: inside[1], suffix, depth, isOpen };
  };
  const exported = tokens.filter((_, index) => isExport(tokens, index));
  const fallback = exported.find((token) => after(tokens, token)?.text === 'default');
  const body = blank(code, exported);
  if (fallback) {
    const end = after(tokens, fallback)?.end ?? fallback.end;
    const held = `var ${main}= `.padEnd(end - fallback.start);
    return make('module', ['', body.slice(0, fallback.start) + held + body.slice(end), `return await ${main}();\n`]);
  }
  if (!isOneFunction(tokens)) return make('statements', ['', body, '']);
  return make('function', ['return await (', last?.text === ';' ? blank(code, [last]) : code, ')();\n']);
}

function after(tokens: readonly Token[], token: Token): Token | undefined {
  return tokens[tokens.indexOf(token) + 1];
}

/** `export` before a declaration or `default`, in no bracket. Other exports stay, and are issues. */
function isExport(tokens: readonly Token[], index: number): boolean {
  const { kind, text, depth } = tokens[index] as Token;
  if (kind !== 'name' || text !== 'export' || depth !== 0 || /^\??\.$/.test(tokens[index - 1]?.text ?? ''))
    return false;
  return /^(?:default|const|let|var|async|function|class|type|interface|enum)$/.test(tokens[index + 1]?.text ?? '');
}

function blank(code: string, tokens: readonly Token[]): string {
  let text = code;
  for (const { start, end } of tokens) text = text.slice(0, start) + ' '.repeat(end - start) + text.slice(end);
  return text;
}

/** Whether a program is nothing but an async function that nothing calls. */
function isOneFunction(tokens: readonly Token[]): boolean {
  let inside = tokens.at(-1)?.text === ';' ? tokens.slice(0, -1) : tokens;
  while (inside[0]?.text === '(' && closes(inside, 0) === inside.length - 1) inside = inside.slice(1, -1);
  if (inside[0]?.text !== 'async') return false;
  const isKeyword = inside[1]?.text === 'function';
  const ground = inside[0].depth;
  if (!isKeyword && inside[1]?.kind === 'name') return inside[2]?.text === '=>' && endsOnce(inside, 3);
  const begin = inside.findIndex(({ text, depth }, index) => index > 0 && text === '(' && depth === ground);
  if (begin === -1) return false;
  const parameters = closes(inside, begin);
  // A type of the answer may contain arrows and braces itself; the function's own are the last ones.
  if (isKeyword) return closes(inside, findBody(inside, parameters)) === inside.length - 1;
  const arrow = inside.findIndex(({ text, depth }, index) => index > parameters && text === '=>' && depth === ground);
  return arrow !== -1 && endsOnce(inside, arrow + 1);
}

/** The place of the brace that begins a function's body, after its parameters. */
function findBody(tokens: readonly Token[], parameters: number): number {
  const ground = tokens[0]?.depth;
  return tokens.findLastIndex(({ text, depth }, index) => index > parameters && text === '{' && depth === ground);
}

/** Whether the body of an arrow function, which begins at `index`, is the end of the tokens. */
function endsOnce(tokens: readonly Token[], index: number): boolean {
  if (tokens[index]?.text === '{') return closes(tokens, index) === tokens.length - 1;
  const ground = tokens[0]?.depth;
  return index < tokens.length && !tokens.some(({ text, depth }, at) => at > index && depth === ground && text === ';');
}

/** The place of the bracket that closes the one at `index`. */
function closes(tokens: readonly Token[], index: number): number {
  const depth = tokens[index]?.depth;
  const found = tokens.findIndex((token, at) => at > index && token.depth === depth && /^[)\]}]$/.test(token.text));
  return found === -1 ? tokens.length : found;
}
