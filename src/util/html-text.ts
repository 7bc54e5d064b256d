/**
 * The text alternative of an HTML mail: words, lines, lists and link targets, without text that nobody sees. Not a renderer. One pass over the source
 * that never goes back, so that hostile HTML takes only linear time.
 */
import { setImmediate } from 'node:timers/promises';
import { isSeen, type Look, lookOf, pageLook, readStyleRules, type StyleRules } from './hidden-text.js';

const hidden = new Set(['head', 'script', 'style', 'template', 'title']);
const paragraphs = new Set(['blockquote', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'ol', 'p', 'pre', 'table', 'ul']);
const lines = new Set([
  'address',
  'article',
  'body',
  'br',
  'div',
  'dd',
  'dt',
  'footer',
  'header',
  'li',
  'main',
  'section',
  'tr',
]);

/** Characters after which other work gets a turn. */
const turnLength = 65_536;

/** Returns the plain text of HTML, with the targets of links in parentheses. Never throws for malformed HTML. */
export async function htmlToText(html: string): Promise<string> {
  const decode = await loadDecoder();
  const text = createText();
  const links = createLinks(text);
  const looks = createLooks(readStyleRules(listStyles(html)));
  let at = 0;
  let turnEnd = turnLength;
  let isPreformatted = false;
  while (at < html.length) {
    if (at > turnEnd) {
      await setImmediate();
      turnEnd = at + turnLength;
    }
    const open = nextTag(html, at);
    const words = decode(html.slice(at, open < 0 ? html.length : open));
    if (!looks.isSeen()) {
      // Nobody reads this.
    } else if (isPreformatted) text.addLines(words);
    else text.add(words);
    if (open < 0) break;
    const tag = tagAt(html, open);
    at = tag.end;
    if (tag.name === 'pre') isPreformatted = !tag.closing;
    const attributes = tag.closing ? none : readAttributes(tag.text, decode);
    const isShown = looks.next(tag, attributes);
    if (hidden.has(tag.name) && !tag.closing) at = findEnd(html, tag.name, at);
    else if (tag.name === 'a') links.next(tidy(attributes.get('href')));
    else if (!isShown) continue;
    else if (tag.name === 'img') text.add(tidy(attributes.get('alt')));
    else addTag(text, tag);
  }
  links.next('');
  return text.whole();
}

/** The style sheets of a document, joined. */
function listStyles(html: string): string {
  const sheets: string[] = [];
  const opening = /<style\b[^<>]*>/gi;
  for (let found = opening.exec(html); found !== null; found = opening.exec(html)) {
    const start = opening.lastIndex;
    opening.lastIndex = findEnd(html, 'style', start);
    sheets.push(html.slice(start, opening.lastIndex).replace(/<\/style[^<]*$/i, ''));
  }
  return sheets.join('\n');
}

/** Elements without content. */
const voids = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'source',
  'track',
  'wbr',
]);

/** Elements that need not be closed, with what opens in their place. */
const selfClosing: Readonly<Record<string, RegExp>> = {
  p: /^(?:p|div|ul|ol|li|table|tr|td|th|h[1-6]|blockquote|pre|section|article)$/,
  li: /^li$/,
  dt: /^d[td]$/,
  dd: /^d[td]$/,
  td: /^(?:td|th|tr)$/,
  th: /^(?:td|th|tr)$/,
  tr: /^tr$/,
};

const maxOpen = 500;

/** Follows which elements are open, and how their text looks. */
function createLooks(rules: StyleRules) {
  const open: { readonly name: string; readonly look: Look }[] = [];
  const current = (): Look => open.at(-1)?.look ?? pageLook;
  const close = (name: string): void => {
    const at = open.findLastIndex((one) => one.name === name);
    if (at >= 0) open.length = at;
  };
  return {
    isSeen: () => isSeen(current()),
    /** Returns whether the element itself is seen. */
    next({ name, closing }: Tag, attributes: ReadonlyMap<string, string>): boolean {
      if (name === '') return true;
      if (closing) {
        close(name);
        return true;
      }
      for (let last = open.at(-1); last && selfClosing[last.name]?.test(name); last = open.at(-1)) open.pop();
      const look = lookOf(current(), { name, attribute: (one) => attributes.get(one) }, rules);
      if (!voids.has(name) && !hidden.has(name) && open.length < maxOpen) open.push({ name, look });
      return isSeen(look);
    },
  };
}

/** The text for a tag that is neither a link nor an image. */
function addTag(text: PlainText, { name, closing }: Tag): void {
  if (name === 'td' || name === 'th') text.add(' ');
  else if (paragraphs.has(name)) text.lineBreak(2);
  else if (lines.has(name)) text.lineBreak(1, name === 'br');
  if (name === 'li' && !closing) text.add('- ');
}

/** Writes the target of a link behind its text, unless that ends in it. */
function createLinks(text: PlainText) {
  let link: { target: string; length: number } | undefined;
  return {
    /** Ends the link before this one. A target that is neither of the web nor of mail begins none. */
    next(target: string): void {
      if (link && text.length() > link.length && !text.endsWith(link.target.replace(/^mailto:/, '')))
        text.add(` (${link.target})`);
      link = /^(?:https?:\/\/|mailto:)/i.test(target) ? { target, length: text.length() } : undefined;
    },
  };
}

interface Tag {
  /** Empty for comments and similar markup. */
  readonly name: string;
  readonly closing: boolean;
  readonly text: string;
  readonly end: number;
}

const tagStart = /<([/!?]?)([A-Za-z][A-Za-z0-9]{0,20})?/y;
const tagAhead = /<(?=[A-Za-z/!?])/g;

/** A `<` that starts no tag is text. */
function nextTag(html: string, from: number): number {
  tagAhead.lastIndex = from;
  return tagAhead.exec(html)?.index ?? -1;
}

function tagAt(html: string, open: number): Tag {
  if (html.startsWith('<!--', open)) {
    const end = html.indexOf('-->', open + 4);
    return { name: '', closing: false, text: '', end: end < 0 ? html.length : end + 3 };
  }
  tagStart.lastIndex = open;
  const [whole = '<', mark = '', name = ''] = tagStart.exec(html) ?? [];
  let quote = '';
  let end = open + whole.length;
  for (; end < html.length; end++) {
    const character = html.charAt(end);
    if (quote === '' && character === '>') break;
    if (quote === '' && (character === '"' || character === "'")) quote = character;
    else if (character === quote) quote = '';
  }
  const isTag = mark === '' || mark === '/';
  return {
    name: isTag ? name.toLowerCase() : '',
    closing: mark === '/',
    text: isTag ? html.slice(open, end) : '',
    end: end + 1,
  };
}

/** Returns the position after the closing tag of an element whose content is invisible. */
function findEnd(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}`, 'gi');
  closing.lastIndex = from;
  const end = closing.exec(html) === null ? -1 : html.indexOf('>', closing.lastIndex);
  return end < 0 ? html.length : end + 1;
}

const none: ReadonlyMap<string, string> = new Map();

/** By names in small letters; an attribute without a value has the empty one. */
function readAttributes(tag: string, decode: (text: string) => string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', doubled, single, bare] of tag.matchAll(
    /[\s"'/]([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g,
  )) {
    const key = name.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, decode(doubled ?? single ?? bare ?? ''));
  }
  return attributes;
}

const tidy = (text = ''): string => text.replace(/\s+/g, ' ').trim();

type PlainText = ReturnType<typeof createText>;

/** Collapses white space as a browser does, with at most one empty line between two blocks. */
function createText() {
  const pieces: string[] = [];
  let total = 0;
  let gap = 0;
  let space = false;
  const push = (piece: string): void => {
    pieces.push(piece);
    total += piece.length;
  };
  return {
    add(raw: string): void {
      const words = raw.replace(/[ \t\r\n\f]+/g, ' ');
      if (words === '') return;
      if (words === ' ') {
        space = true;
        return;
      }
      const isFirst = total === 0;
      if (!isFirst && gap > 0) push('\r\n'.repeat(gap));
      else if (!isFirst && (space || words.startsWith(' '))) push(' ');
      push(words.trim());
      gap = 0;
      space = words.endsWith(' ');
    },
    /** Keeps white space and line breaks, except for more than one empty line. */
    addLines(raw: string): void {
      const lines = raw.split(/\r\n?|\n/);
      for (const [index, line] of lines.entries()) {
        if (index > 0) this.lineBreak(1, true);
        if (line === '' || (index < lines.length - 1 && line.trim() === '')) continue;
        if (total > 0) push('\r\n'.repeat(gap));
        push(line);
        gap = 0;
        space = false;
      }
    },
    lineBreak(count: number, adds = false): void {
      gap = adds ? Math.min(gap + 1, 2) : Math.max(gap, count);
      space = false;
    },
    length: () => total,
    endsWith: (end: string) => (pieces.at(-1) ?? '').endsWith(end),
    whole: () => pieces.join('').replaceAll('\u00a0', ' '),
  };
}

/** The table of named entities takes a moment to load, and few processes convert HTML. */
async function loadDecoder(): Promise<(text: string) => string> {
  const { decodeHTMLStrict } = await import('entities');
  // A name may stand for a character that nobody sees, such as a soft hyphen.
  const ofName = (entity: string) => decodeHTMLStrict(entity).replace(/\p{Cf}/gu, '');
  return (text) =>
    text.replace(/&(?:#[xX]([0-9a-fA-F]{1,6})|#(\d{1,7})|[A-Za-z][A-Za-z0-9]{1,31});/g, (whole, hex, decimal) => {
      if (hex === undefined && decimal === undefined) return ofName(whole);
      return ofCode(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
    });
}

function ofCode(code: number): string {
  const isText = code >= 32 && code <= 0x10ffff && !(code >= 0x7f && code < 0xa0) && !(code >= 0xd800 && code < 0xe000);
  return isText ? String.fromCodePoint(code) : ' ';
}
