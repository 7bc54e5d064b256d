/** Formulas of MathML and of Word (OMML), written on one line: `(a+b)/(2c)`, `x^2`, `√(y)`. */
import { tidy } from './build.js';
import type { XmlNode } from './model.js';

/** A TeX annotation is the author's own words and wins. */
export function mathText(node: XmlNode): string {
  const pending = [node];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const encoding = next.nodeType === 1 ? next.getAttribute('encoding') : null;
    if (encoding !== null && /tex/i.test(encoding)) return tidy(next.textContent ?? '');
    pending.push(...[...next.childNodes].reverse());
  }
  return tidy(linear(node, 0));
}

const getName = ({ nodeName }: XmlNode): string => nodeName.toLowerCase().replace(/^.*:/, '');

/** Annotations, and what Word says about the look of a structure. */
const unspoken =
  /^(?:annotation|annotation-xml)$|^(?:r|f|rad|nary|d|s|ssup|ssub|ssubsup|func|m|acc|bar|ctrl|omath|box|groupchr|lim\w+|eqarr|phant|spre)?pr$/;

function linear(node: XmlNode, depth: number): string {
  if (node.nodeType === 3) return (node.nodeValue ?? '').trim();
  if ((node.nodeType !== 1 && node.nodeType !== 9) || depth > 200) return '';
  const name = getName(node);
  if (unspoken.test(name)) return '';
  const children = [...node.childNodes];
  const elements = children.filter(({ nodeType }) => nodeType === 1);
  const form = forms.get(name);
  if (form) return form(elements.map((child) => linear(child, depth + 1)));
  const part = (wanted: string): string => {
    const child = elements.find((element) => getName(element) === wanted);
    return child ? linear(child, depth + 1) : '';
  };
  return office(node, name, part) ?? children.map((child) => linear(child, depth + 1)).join('');
}

/** Structures of MathML, from the texts of their parts. */
const forms: ReadonlyMap<string, (parts: readonly string[]) => string> = new Map<
  string,
  (parts: readonly string[]) => string
>([
  ['mfrac', ([above, below]) => fraction(above, below)],
  ['msup', ([base = '', above]) => base + raised(above)],
  ['mover', ([base = '', above]) => base + raised(above)],
  ['msub', ([base = '', below]) => base + lowered(below)],
  ['munder', ([base = '', below]) => base + lowered(below)],
  ['msubsup', ([base = '', below, above]) => base + lowered(below) + raised(above)],
  ['munderover', ([base = '', below, above]) => base + lowered(below) + raised(above)],
  ['msqrt', (parts) => root(parts.join(''))],
  ['mroot', ([base, degree]) => root(base, degree)],
  ['mtr', row],
  ['mr', row],
]);

const fraction = (above = '', below = ''): string => `${grouped(above)}/${factor(below)}`;
const raised = (text = ''): string => `^${factor(text)}`;
const lowered = (text = ''): string => `_${grouped(text)}`;
const root = (text = '', degree = ''): string => `√${degree === '' ? '' : `[${degree}]`}${factor(text)}`;

function row(cells: readonly string[]): string {
  return `${cells.join(', ')}; `;
}

/** Word's own structures; undefined: the children one after the other. */
function office(node: XmlNode, name: string, part: (wanted: string) => string): string | undefined {
  const scripts = (): string => {
    const [below, above] = [part('sub'), part('sup')];
    return `${below === '' ? '' : lowered(below)}${above === '' ? '' : raised(above)}`;
  };
  switch (name) {
    case 'f':
      return fraction(part('num'), part('den'));
    case 'ssup':
    case 'ssub':
    case 'ssubsup':
      return `${part('e')}${scripts()}`;
    case 'rad':
      return root(part('e'), part('deg'));
    case 'nary':
      return `${character(node, 'm:chr', '∫')}${scripts()} ${part('e')}`;
    case 'd': {
      const inner = [...node.childNodes]
        .filter(({ nodeName }) => nodeName.toLowerCase() === 'm:e')
        .map((child) => linear(child, 1));
      return `${character(node, 'm:begchr', '(')}${inner.join(', ')}${character(node, 'm:endchr', ')')}`;
    }
    case 'func':
      return `${part('fname')}${grouped(part('e'))}`;
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

function grouped(text: string): string {
  return /^[\p{L}\p{N}]*$/u.test(text) ? text : `(${text})`;
}

/** Where only the first symbol would belong to what is before it: `1/2c` is c halves. */
function factor(text: string): string {
  return /^(?:\p{L}|\p{N}*)$/u.test(text) ? text : `(${text})`;
}

/** The formulas of a part of a DOCX as text between marks: the library that reads the rest drops them. */
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
