/** Makes wrong programs out of right ones. */

export type Kind = 'name' | 'missing' | 'type' | 'enum' | 'answer' | 'await';

export interface Planted {
  readonly kind: Kind;
  readonly code: string;
  /** What was right. */
  readonly right: string;
}

const namespaceCall = /\b(?:github|workGmail|personalGmail|slack|math|files)\.(\w+)\(\{/g;
const optional =
  /^(?:state|labels|sort|perPage|page|body|assignees|max|importance|precision|recursive|encoding|mode|types|format|limit)$/;
const answers =
  /(?<=[\w)\]?]\.)(issues|title|number|login|messages|subject|ts|channels|content|entries|result|value|path|url|pullRequests|merged|labels|updatedAt|bytes|size|unit|threadId|memberCount|nextPage|createdAt|color|email|id|state|name)(?![\w(:?])/g;

export function plant(code: string): readonly Planted[] {
  const planted: Planted[] = [];
  const replace = (
    kind: Kind,
    found: RegExpMatchArray | undefined,
    make: (match: RegExpMatchArray) => string,
  ): void => {
    if (!found) return;
    const at = found.index ?? 0;
    planted.push({
      kind,
      right: found[1] ?? found[0],
      code: code.slice(0, at) + make(found) + code.slice(at + found[0].length),
    });
  };
  for (const call of code.matchAll(namespaceCall)) {
    const name = call[1] ?? '';
    const wrong = [`${name}s`, name.slice(0, 3) + name.slice(4), name.toLowerCase()][planted.length % 3] ?? '';
    replace('name', call, ([whole]) => whole.replace(`.${name}(`, `.${wrong}(`));
    const rest = code.slice((call.index ?? 0) + call[0].length);
    const parameter = /^\s*(\w+): ('[^']*'|\d+|[\w.]+)(?: \+ \w+)?(?:,|(?= \}))/.exec(rest);
    if (!parameter || optional.test(parameter[1] ?? '')) continue;
    const at = (call.index ?? 0) + call[0].length;
    const without = (text: string) => code.slice(0, at) + text + rest.slice(parameter[0].length);
    planted.push({ kind: 'missing', right: parameter[1] ?? '', code: without(' ') });
    planted.push({ kind: 'type', right: parameter[1] ?? '', code: without(` ${parameter[1]}: [true],`) });
  }
  for (const match of code.matchAll(
    /\b(?:state|sort|method|mode|format|importance|encoding|from|to): '([a-z-]+)'(?!\s*\|)/g,
  ))
    if (!match[1]?.includes('@'))
      replace('enum', match, ([whole, value = '']) => whole.replace(`'${value}'`, `'${value}s'`));
  const read = [...code.matchAll(answers)];
  for (const match of read.slice(-2)) replace('answer', match, ([whole]) => `${whole}x`);
  for (const match of code.matchAll(
    /await (?=(?:\w+\.)*(?:github|workGmail|personalGmail|slack|math|files|gh|chat|account|Promise)\b)/g,
  ))
    replace('await', match, () => '');
  return planted;
}
