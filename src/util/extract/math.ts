/** Writes formulas of MathML and of Word (OMML) on one line: `(a+b)/(2c)`, `x^2`, `√(y)`. */
import { tidy } from './build.js';
import type { XmlNode } from './model.js';

/** A TeX annotation takes precedence, because it is what the author wrote. */
export function mathText(node: XmlNode): string {
  const pending = [node];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const encoding = next.nodeType === 1 ? next.getAttribute('encoding') : null;
    if (encoding !== null && /tex/i.test(encoding)) return tidy(next.textContent ?? '');
    pending.push(...[...next.childNodes].reverse());
  }
  return tidy(linear(node, 0).text);
}

const getName = ({ nodeName }: XmlNode): string => nodeName.toLowerCase().replace(/^.*:/, '');

/** Annotations, and Word's elements about the look of a structure. */
const unspoken =
  /^(?:annotation|annotation-xml)$|^(?:r|f|rad|nary|d|s|ssup|ssub|ssubsup|func|m|acc|bar|ctrl|omath|box|groupchr|lim\w+|eqarr|phant|spre)?pr$/;

/** A part of a formula, and how tightly it binds: it gets parentheses where a tighter part is needed. */
interface Term {
  readonly text: string;
  readonly rank: number;
}

/** From the loosest to the tightest. A lone operator needs no parentheses as the base of a script: `∑_(i=1)`. */
const [sum, quotient, product, power, indexed, word, operator, atom] = [0, 1, 2, 3, 4, 5, 6, 7];

const nothing: Term = { text: '', rank: atom };

function linear(node: XmlNode, depth: number): Term {
  if (node.nodeType === 3) return readToken((node.nodeValue ?? '').trim(), false);
  if ((node.nodeType !== 1 && node.nodeType !== 9) || depth > 200) return nothing;
  const name = getName(node);
  if (unspoken.test(name)) return nothing;
  const children = [...node.childNodes];
  const toTerms = (nodes: readonly XmlNode[]) => nodes.map((child) => linear(child, depth + 1));
  const elements = children.filter(({ nodeType }) => nodeType === 1);
  const form = forms.get(name);
  if (form) return form(toTerms(elements), node);
  const named = (wanted: string) => toTerms(elements.filter((element) => getName(element) === wanted));
  return office(node, name, named) ?? finish(node, name, join(toTerms(children)));
}

/** Several letters are one name in a MathML token and in upright text of Word, otherwise a product. */
function finish(node: XmlNode, name: string, term: Term): Term {
  const isToken = /^m[ino]$|^mtext$/.test(name) || (name === 'r' && character(node, 'm:sty', '') === 'p');
  return isToken ? readToken(term.text, true) : term;
}

function readToken(text: string, isName: boolean): Term {
  if (/^(?:\p{L}?\p{M}*|\p{N}+(?:[.,]\p{N}+)*)$/u.test(text) || isFenced(text)) return { text, rank: atom };
  if (isPlain(text)) return { text, rank: isName ? word : product };
  return { text, rank: /[\p{L}\p{N}]/u.test(text) ? sum : operator };
}

const isPlain = (text: string): boolean => /^[\p{L}\p{N}]*$/u.test(text);

const fences: Readonly<Record<string, string>> = {
  '(': ')',
  '[': ']',
  '{': '}',
  '⟨': '⟩',
  '⌊': '⌋',
  '⌈': '⌉',
  '|': '|',
};

/** Whether one pair of brackets encloses the whole text, unlike `(a)(b)`. */
function isFenced(text: string): boolean {
  const open = text[0] ?? '';
  const close = fences[open];
  if (close === undefined || text.length < 2 || !text.endsWith(close)) return false;
  let depth = 0;
  for (const character of text.slice(1, -1)) {
    if (character === close) depth -= 1;
    else if (character === open) depth += 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** Joins successive parts: as a product, unless there is an operator among them. */
function join(parts: readonly Term[]): Term {
  const terms = parts.filter(({ text }) => text !== '');
  if (terms.length < 2) return terms[0] ?? nothing;
  const text = terms.map((term) => term.text).join('');
  if (isFenced(text)) return { text, rank: atom };
  const rank = (term: Term): number => (term.rank === operator ? sum : term.rank);
  return { text, rank: terms.reduce((min, term) => Math.min(min, rank(term)), product) };
}

/** Writes structures of MathML from their parts. */
const forms: ReadonlyMap<string, (parts: readonly Term[], node: XmlNode) => Term> = new Map<
  string,
  (parts: readonly Term[], node: XmlNode) => Term
>([
  ['mfrac', ([above, below]) => fraction(above, below)],
  ['msup', ([base, above]) => scripted(base, nothing, above)],
  ['mover', ([base, above]) => scripted(base, nothing, above)],
  ['msub', ([base, below]) => scripted(base, below)],
  ['munder', ([base, below]) => scripted(base, below)],
  ['msubsup', ([base, below, above]) => scripted(base, below, above)],
  ['munderover', ([base, below, above]) => scripted(base, below, above)],
  ['msqrt', (parts) => root(join(parts))],
  ['mroot', ([base, degree]) => root(base, degree)],
  ['mfenced', (parts, node) => fenced(parts, node.getAttribute('open') ?? '(', node.getAttribute('close') ?? ')')],
  ['mtr', row],
  ['mr', row],
]);

function fraction(above = nothing, below = nothing): Term {
  return { text: `${atLeast(product, above)}/${atLeast(atom, below)}`, rank: quotient };
}

function scripted(base = nothing, below = nothing, above = nothing): Term {
  const lowered = below.text === '' ? base : { text: `${atLeast(word, base)}_${grouped(below)}`, rank: indexed };
  return above.text === '' ? lowered : { text: `${atLeast(indexed, lowered)}^${atLeast(atom, above)}`, rank: power };
}

function root(inner = nothing, degree = nothing): Term {
  return { text: `√${degree.text === '' ? '' : `[${degree.text}]`}${atLeast(atom, inner)}`, rank: power };
}

function fenced(parts: readonly Term[], open: string, close: string): Term {
  const text = `${open}${parts.map((part) => part.text).join(', ')}${close}`;
  return { text, rank: open === '' || close === '' ? sum : atom };
}

function row(cells: readonly Term[]): Term {
  return { text: `${cells.map(({ text }) => text).join(', ')}; `, rank: sum };
}

/** Writes Word's own structures. Undefined: not a structure, so the children are joined. */
function office(node: XmlNode, name: string, named: (wanted: string) => readonly Term[]): Term | undefined {
  const part = (wanted: string): Term => named(wanted)[0] ?? nothing;
  switch (name) {
    case 'f':
      return fraction(part('num'), part('den'));
    case 'ssup':
    case 'ssub':
    case 'ssubsup':
      return scripted(part('e'), part('sub'), part('sup'));
    case 'rad':
      return root(part('e'), part('deg'));
    case 'nary': {
      const sign = { text: character(node, 'm:chr', '∫'), rank: operator };
      return { text: `${scripted(sign, part('sub'), part('sup')).text} ${part('e').text}`, rank: sum };
    }
    case 'd':
      return fenced(named('e'), character(node, 'm:begchr', '('), character(node, 'm:endchr', ')'));
    case 'func':
      return { text: `${part('fname').text}${grouped(part('e'))}`, rank: product };
    default:
      return undefined;
  }
}

function character(node: XmlNode, name: string, fallback: string): string {
  for (const properties of node.childNodes) {
    if (!/pr$/i.test(properties.nodeName)) continue;
    for (const property of properties.childNodes) {
      if (property.nodeName.toLowerCase() === name) return property.getAttribute('m:val') ?? fallback;
    }
  }
  return fallback;
}

function atLeast(rank: number, term: Term): string {
  return term.rank >= rank ? term.text : `(${term.text})`;
}

/** An index or argument may have several letters: `x_max`. */
function grouped(term: Term): string {
  return isPlain(term.text) ? term.text : atLeast(atom, term);
}

/**
 * Writes the formulas of a part of a DOCX as text between marks, because the library that reads the rest drops them.
 */
export async function withMath(xml: string): Promise<string> {
  const { DOMParser } = (await import('linkedom')) as unknown as {
    DOMParser: new () => { parseFromString(text: string, type: string): XmlNode };
  };
  let result = '';
  let at = 0;
  const opening = /<m:oMath[\s>]/g;
  for (;;) {
    opening.lastIndex = at;
    const start = opening.exec(xml)?.index ?? -1;
    const end = start < 0 ? -1 : xml.indexOf('</m:oMath>', start);
    if (end < 0) return result + xml.slice(at);
    const stop = end + '</m:oMath>'.length;
    const text = mathText(new DOMParser().parseFromString(xml.slice(start, stop), 'text/xml'));
    const safe = text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
    result += `${xml.slice(at, start)}<w:r><w:t xml:space="preserve"> \ue000${safe}\ue001 </w:t></w:r>`;
    at = stop;
  }
}
