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

function linear(node: XmlNode, depth: number): string {
  if (node.nodeType === 3) return (node.nodeValue ?? '').trim();
  if ((node.nodeType !== 1 && node.nodeType !== 9) || depth > 200) return '';
  const name = node.nodeName.toLowerCase().replace(/^.*:/, '');
  if (
    /^(?:annotation|annotation-xml)$|^(?:r|f|rad|nary|d|s|ssup|ssub|ssubsup|func|m|acc|bar|ctrl|omath|box|groupchr|lim\w+|eqarr|phant|spre)?pr$/.test(
      name,
    )
  )
    return '';
  const children = [...node.childNodes].filter(({ nodeType }) => nodeType === 1);
  const texts = (): string[] => children.map((child) => linear(child, depth + 1));
  const part = (wanted: string): string => {
    const child = children.find(({ nodeName }) => nodeName.toLowerCase().replace(/^.*:/, '') === wanted);
    return child ? linear(child, depth + 1) : '';
  };
  const [first = '', second = '', third = ''] = /^m(?:frac|sup|sub|subsup|root|over|under|underover)$/.test(name)
    ? texts()
    : [];
  switch (name) {
    case 'mfrac':
      return `${grouped(first)}/${grouped(second)}`;
    case 'f':
      return `${grouped(part('num'))}/${grouped(part('den'))}`;
    case 'msup':
    case 'mover':
      return `${first}^${grouped(second)}`;
    case 'msub':
    case 'munder':
      return `${first}_${grouped(second)}`;
    case 'msubsup':
    case 'munderover':
      return `${first}_${grouped(second)}^${grouped(third)}`;
    case 'msqrt':
      return `√${grouped(texts().join(''))}`;
    case 'mroot':
      return `√[${second}]${grouped(first)}`;
    case 'mtr':
    case 'mr':
      return `${texts().join(', ')}; `;
    default:
      return office(node, name, part) ?? [...node.childNodes].map((child) => linear(child, depth + 1)).join('');
  }
}

/** Word's own structures; undefined: the children one after the other. */
function office(node: XmlNode, name: string, part: (wanted: string) => string): string | undefined {
  const scripts = (): string => {
    const [below, above] = [part('sub'), part('sup')];
    return `${below === '' ? '' : `_${grouped(below)}`}${above === '' ? '' : `^${grouped(above)}`}`;
  };
  switch (name) {
    case 'ssup':
    case 'ssub':
    case 'ssubsup':
      return `${part('e')}${scripts()}`;
    case 'rad': {
      const degree = part('deg');
      return `√${degree === '' ? '' : `[${degree}]`}${grouped(part('e'))}`;
    }
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
