/** Rewrites the static imports of a program as awaited ones, because the code that runs is the body of a function. */
import { type Token, tokenize } from './tokens.js';

/**
 * Replaces each `import … from '…'` by a `const` that holds what is awaited, and imports of types by nothing. Lines stay.
 * Anything that is not a whole import is left for the parser to refuse.
 */
export function awaitImports(program: string): string {
  const tokens = tokenize(program);
  let code = '';
  let done = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.start < done || !beginsImport(tokens, index)) continue;
    const read = readImport(tokens, index + 1);
    if (!read) continue;
    const lines = program.slice(token.start, read.end).split('\n').length - 1;
    code += `${program.slice(done, token.start)}${read.text}${'\n'.repeat(lines)}`;
    done = read.end;
  }
  return code + program.slice(done);
}

function beginsImport(tokens: readonly Token[], index: number): boolean {
  const { kind, text, depth } = tokens[index] as Token;
  if (kind !== 'name' || text !== 'import' || depth !== 0) return false;
  const before = tokens[index - 1];
  return before === undefined || !/^(?:\??\.|\.\.\.)$/.test(before.text) || before.kind === 'string';
}

interface Import {
  readonly text: string;
  readonly end: number;
}

function readImport(tokens: readonly Token[], first: number): Import | undefined {
  const typesOnly =
    isWord(tokens[first], 'type') && !isWord(tokens[first + 1], 'from') && !isWord(tokens[first + 1], ',');
  const begin = typesOnly ? first + 1 : first;
  const clause = readClause(tokens, begin);
  if (!clause) return undefined;
  const isBare = clause.end === first;
  if (!isBare && !isWord(tokens[clause.end], 'from')) return undefined;
  const at = isBare ? clause.end : clause.end + 1;
  const source = tokens[at];
  if (source?.kind !== 'string') return undefined;
  const ending = tokens[at + 1];
  const end = isWord(ending, ';') ? (ending as Token).end : source.end;
  return { text: typesOnly ? '' : write({ ...clause, specifier: source.text }), end };
}

function isWord(token: Token | undefined, text: string): boolean {
  return token !== undefined && token.kind !== 'string' && token.text === text;
}

/** Returns the tokens between `import` and `from`, and the index of the token after them. */
function readClause(tokens: readonly Token[], first: number) {
  const names: string[] = [];
  let at = first;
  if (tokens[at]?.kind === 'name') {
    names.push(`default: ${tokens[at]?.text}`);
    at += isWord(tokens[at + 1], ',') ? 2 : 1;
  }
  if (isWord(tokens[at], '*') && isWord(tokens[at + 1], 'as'))
    return { names, whole: tokens[at + 2]?.text ?? '', end: at + 3 };
  if (!isWord(tokens[at], '{')) return { names, whole: '', end: at };
  const close = tokens.findIndex((token, index) => index > at && isWord(token, '}'));
  const list = close === -1 ? undefined : readNames(tokens.slice(at + 1, close));
  return list && { names: [...names, ...list], whole: '', end: close + 1 };
}

interface Names {
  readonly names: readonly string[];
  readonly whole: string;
  readonly specifier: string;
}

function write({ names, whole, specifier }: Names): string {
  const awaited = `await import(${JSON.stringify(specifier)});`;
  const rest = names.length === 0 ? '' : `const { ${names.join(', ')} } = `;
  if (whole === '') return rest + awaited;
  return `const ${whole} = ${awaited}${rest === '' ? '' : ` ${rest}${whole};`}`;
}

/** `a, b as c, type D` inside the braces; undefined if it is anything else. */
function readNames(tokens: readonly Token[]): string[] | undefined {
  const names: string[] = [];
  let at = 0;
  while (at < tokens.length) {
    const end = tokens.findIndex((token, index) => index >= at && token.text === ',' && token.kind === 'punctuation');
    const part = tokens.slice(at, end === -1 ? tokens.length : end);
    at += part.length + 1;
    const words = part.map(({ kind, text }) => (kind === 'string' ? JSON.stringify(text) : text));
    if (part.some(({ kind }) => kind !== 'name' && kind !== 'string')) return undefined;
    const [name = '', as, local] = words;
    if (words.length === 1) names.push(name);
    else if (words.length === 3 && as === 'as') names.push(`${name}: ${local}`);
    else if (name !== 'type') return undefined;
  }
  return names;
}
