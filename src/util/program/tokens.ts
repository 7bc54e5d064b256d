/**
 * Splits TypeScript into tokens, in linear time and without a stack, so that it can be done to any text on the event loop. It
 * cannot always tell a regular expression from a division: what follows from its answer is verified on the syntax tree.
 */

export interface Token {
  readonly kind: 'name' | 'string' | 'literal' | 'punctuation';
  /** A name with its escapes read; the content of a string; otherwise the characters. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Number of brackets that are open around it. A bracket counts as outside of itself. */
  readonly depth: number;
}

const blank = /(?:\s+|\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?(?:\*\/|$))+/y;
const name =
  /#?(?:[\p{ID_Start}$_]|\\u(?:[\da-fA-F]{4}|\{[\da-fA-F]+\}))(?:[\p{ID_Continue}$\u200c\u200d]|\\u(?:[\da-fA-F]{4}|\{[\da-fA-F]+\}))*/uy;
const number = /\.?\d(?:[eE][+-]|[\w.])*/y;
const string = /(["'])((?:\\[\s\S]|(?!\1)[^\\\n\r])*)(?:\1|(?=[\n\r])|$)/y;
const template = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{|$)/y;
const regex = /\/(?:\\.|\[(?:\\.|[^\]\\\n\r])*\]|[^/\\[\n\r])+\/[\p{ID_Continue}$]*/uy;
const punctuation = /=>|\?\.(?!\d)|\.\.\.|[\s\S]/y;
const beforeExpression =
  /^(?:return|typeof|case|in|of|delete|void|throw|new|else|do|await|yield|instanceof|default|extends)$/;

const escapes = /\\u(?:([\da-fA-F]{4})|\{([\da-fA-F]{1,6})\})|\\x([\da-fA-F]{2})/g;

export function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const open: string[] = [];
  let at = 0;

  function match(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  }
  function push(kind: Token['kind'], length: number, content?: string): void {
    const end = at + length;
    tokens.push({ kind, text: content ?? text.slice(at, end), start: at, end, depth: open.length });
    at = end;
  }
  /** The rest of a template, from after its backtick or from after the brace that ends a substitution. */
  function pushTemplate(): void {
    at += 1;
    const part = match(template) ?? '';
    at -= 1;
    push('literal', part.length + 1);
    if (part.endsWith('${')) open.push('${');
  }
  function pushBracket(character: string): void {
    if ('([{'.includes(character)) {
      push('punctuation', 1);
      open.push(character);
      return;
    }
    open.pop();
    push('punctuation', 1);
  }

  function pushWord(character: string): boolean {
    const word = match(name);
    if (word !== undefined) {
      push('name', word.length, readEscapes(word));
      return true;
    }
    const quoted = character === '"' || character === "'" ? match(string) : undefined;
    if (quoted !== undefined) push('string', quoted.length, readEscapes(quoted.slice(1, -1)));
    return quoted !== undefined;
  }
  function pushOther(character: string): void {
    const pattern = character === '/' && mayBeginExpression(tokens.at(-1)) ? match(regex) : undefined;
    const value = match(number) ?? pattern;
    if (value === undefined) push('punctuation', match(punctuation)?.length ?? 1);
    else push('literal', value.length);
  }

  for (;;) {
    at += match(blank)?.length ?? 0;
    const character = text[at];
    if (character === undefined) return tokens;
    if (pushWord(character)) continue;
    const endsSubstitution = character === '}' && open.at(-1) === '${';
    if (endsSubstitution) open.pop();
    if (endsSubstitution || character === '`') pushTemplate();
    else if ('()[]{}'.includes(character)) pushBracket(character);
    else pushOther(character);
  }
}

function mayBeginExpression(before: Token | undefined): boolean {
  if (before === undefined) return true;
  if (before.kind === 'name') return beforeExpression.test(before.text);
  return before.kind === 'punctuation' && !/^[)\]}]$/.test(before.text);
}

function readEscapes(text: string): string {
  return text.replace(escapes, (whole, ...[four, braced, two]) => {
    const code = Number.parseInt(four ?? braced ?? two, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
