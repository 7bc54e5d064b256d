/**
 * Removes from the parts of a Word document the runs that a reader does not see: marked as hidden, without size, or in the colour
 * of what is behind them. Mammoth passes them on like any other text.
 */
import { isAlike, type pageLook, readColour } from '../hidden-text.js';
import { refuse } from './refuse.js';
import { plainXml, readAttribute } from './workbook.js';

type Colour = typeof pageLook.colour;

/** How text looks; what is undefined is as it is around. */
interface TextLook {
  readonly isHidden?: boolean;
  /** In half points. */
  readonly size?: number;
  /** `of` is undefined if the program that shows the text chooses it. */
  readonly colour?: { readonly of: Colour };
  /** `of` is undefined if it is not known. */
  readonly ground?: { readonly of: Colour };
}

/** By id: what is set in a style or in those on which it is based. */
export type WordStyles = ReadonlyMap<string, TextLook>;

const wordNames =
  /^http:\/\/(?:schemas\.openxmlformats\.org\/wordprocessingml\/2006|purl\.oclc\.org\/ooxml\/wordprocessingml)\/main$/;

/**
 * Returns the XML without comments and sections of raw text, in which tags mean nothing; undefined if it is no part of Word. Throws
 * `invalid_input` if its names have another prefix than Word's: nothing here would find them.
 */
export function readWordPart(content: Uint8Array): string | undefined {
  const xml = new TextDecoder().decode(content);
  const plain = withoutRawText(xml);
  let isWord = false;
  for (const [, prefix = '', double, single] of plain.matchAll(
    /\sxmlns(?::([\w.-]+))?\s*=\s*(?:"([^"]*)"|'([^']*)')/g,
  )) {
    const isOfWord = wordNames.test(plainXml(double ?? single ?? ''));
    if (isOfWord !== (prefix === 'w'))
      refuse(
        'invalid_input',
        `The document has names with the prefix “${prefix}”, which Word does not write`,
        'Open and save it in Word.',
      );
    isWord ||= isOfWord;
  }
  return isWord ? plain : undefined;
}

function withoutRawText(xml: string): string {
  const pieces: string[] = [];
  let at = 0;
  for (;;) {
    const start = xml.indexOf('<!', at);
    const isComment = xml.startsWith('<!--', start);
    const end = start < 0 ? -1 : xml.indexOf(isComment ? '-->' : ']]>', start);
    pieces.push(xml.slice(at, end < 0 ? xml.length : start));
    if (end < 0) return pieces.join('');
    if (!isComment)
      pieces.push(
        xml
          .slice(start + '<![CDATA['.length, end)
          .replaceAll('&', '&amp;')
          .replaceAll('<', '&lt;'),
      );
    at = end + ']]>'.length;
  }
}

const tags =
  /<(\/?)w:(basedOn|p|pPr|r|rPr|rPrChange|pPrChange|tbl|tblPr|tblStyle|tc|tcPr|txbxContent|shd|color|sz|vanish|highlight|pStyle|rStyle)((?:\s(?:"[^"]*"|'[^']*'|[^"'<>])*)?)\/?>/g;

/** `xml`: the part with the styles, as `readWordPart` returns it. */
export function readWordStyles(xml: string): WordStyles {
  const own = new Map<string, { readonly base: string | undefined; readonly look: TextLook }>();
  for (const piece of xml.split(/<w:style(?=\s)/).slice(1)) {
    const look: TextLook = {};
    let base: string | undefined;
    for (const [, , name = '', attributes = ''] of piece.matchAll(tags)) {
      if (name === 'basedOn') base = readAttribute(attributes, 'w:val');
      else Object.assign(look, readProperty(name, attributes));
    }
    own.set(readAttribute(piece.slice(0, piece.indexOf('>')), 'w:styleId') ?? '', { base, look });
  }
  const styles = new Map<string, TextLook>();
  for (const [id, style] of own) {
    const looks: TextLook[] = [];
    for (let next: typeof style | undefined = style; next && looks.length < 10; next = own.get(next.base ?? ''))
      looks.unshift(next.look);
    styles.set(id, Object.assign({}, ...looks) as TextLook);
  }
  return styles;
}

function readProperty(name: string, attributes: string): TextLook {
  const value = readAttribute(attributes, 'w:val') ?? '';
  if (name === 'vanish') return { isHidden: !/^(?:0|false|off)$/.test(value) };
  if (name === 'sz') return value === '' ? {} : { size: Number(value) };
  if (name === 'color') return { colour: { of: readColour(value.toLowerCase(), undefined) } };
  if (name === 'highlight')
    return value === 'none' ? {} : { ground: { of: readColour(value.toLowerCase(), undefined) } };
  if (name !== 'shd') return {};
  const fill = readAttribute(attributes, 'w:fill') ?? 'auto';
  const hasPattern = value !== '' && !/^(?:clear|nil)$/.test(value);
  if (fill === 'auto' && !hasPattern) return {};
  return { ground: { of: hasPattern ? undefined : readColour(fill.toLowerCase(), undefined) } };
}

interface Frame {
  readonly name: string;
  readonly start: number;
  readonly look: TextLook;
}

const containers = /^(?:p|pPr|r|rPr|rPrChange|pPrChange|tbl|tblPr|tc|tcPr|txbxContent)$/;

/** Where properties stand, and which element they are about. */
const owners: Readonly<Record<string, string>> = { rPr: 'r', pPr: 'p', tcPr: 'tc', tblPr: 'tbl' };

export interface WordSetting {
  readonly styles: WordStyles;
  /** The colour of the page. */
  readonly ground: Colour;
}

/** `xml`: a part as `readWordPart` returns it. Returns the part without its hidden runs, and unchanged if it has none. */
export function dropHiddenRuns(xml: string, { styles, ground }: WordSetting): string {
  const open: Frame[] = [{ name: '', start: 0, look: { ground: { of: ground } } }];
  const hidden: { readonly start: number; readonly end: number }[] = [];
  for (const match of xml.matchAll(tags)) {
    const [tag, closing, name = '', attributes = ''] = match;
    const last = open.at(-1);
    if (closing === '/') {
      if (last?.name !== name || open.length === 1) continue;
      if (name === 'r' && isHidden(open)) hidden.push({ start: last.start, end: match.index + tag.length });
      open.pop();
    } else if (containers.test(name)) {
      if (tag.endsWith('/>')) continue;
      const look = name === 'txbxContent' ? groundOfBox(xml, match.index) : {};
      open.push({ name, start: match.index, look });
    } else {
      const owner = open.at(-2);
      if (last && owner && owners[last.name] === owner.name) setProperty(owner.look, { name, attributes, styles });
    }
  }
  return cut(xml, hidden);
}

function setProperty(
  look: TextLook,
  { name, attributes, styles }: { name: string; attributes: string; styles: WordStyles },
): void {
  const style = /^(?:[pr]|tbl)Style$/.test(name) ? styles.get(readAttribute(attributes, 'w:val') ?? '') : undefined;
  // Which cells the style of a table fills, and how their text looks, is not looked up.
  if (name === 'tblStyle') Object.assign(look, style?.ground ? { ground: { of: undefined } } : {});
  else Object.assign(look, style ?? readProperty(name, attributes));
}

function isHidden(open: readonly Frame[]): boolean {
  const paragraph = open.findLastIndex(({ name }) => name === 'p');
  const {
    isHidden: isMarked,
    size,
    colour,
  }: TextLook = Object.assign({}, ...open.slice(Math.max(0, paragraph)).map(({ look }) => look));
  const ground = open.findLast(({ look }) => look.ground !== undefined)?.look.ground;
  return isMarked === true || (size !== undefined && size <= 2) || isAlike(colour?.of, ground?.of);
}

const lookBack = 20_000;

/** How the shape around a text box is filled; what it does not say is as behind it. */
function groundOfBox(xml: string, at: number): TextLook {
  const before = xml.slice(Math.max(0, at - lookBack), at);
  const shape = before.slice(
    Math.max(0, before.lastIndexOf('<wps:wsp'), before.lastIndexOf('<v:shape'), before.lastIndexOf('<v:rect')),
  );
  const filled = shape.replaceAll(/<a:ln[\s>][\s\S]*?<\/a:ln>/g, '');
  if (filled.includes('<a:noFill')) return {};
  const colour =
    /<a:solidFill>\s*<a:\w+\s[^<>]*\bval="(\w+)"/.exec(filled)?.[1] ?? /\sfillcolor="([#\w]+)/.exec(filled)?.[1];
  if (colour === undefined)
    return /<a:\w+Fill[\s>]|<a:fillRef\s[^<>]*idx="[1-9]/.test(filled) ? { ground: { of: undefined } } : {};
  return {
    ground: { of: readColour(/^(?:lt1|bg1|window)$/.test(colour) ? 'white' : colour.toLowerCase(), undefined) },
  };
}

/** `parts` in the order of their ends; one may hold others. */
function cut(xml: string, parts: readonly { readonly start: number; readonly end: number }[]): string {
  const pieces: string[] = [];
  let end = xml.length;
  for (const part of parts.toReversed()) {
    if (part.end > end) continue;
    pieces.push(xml.slice(part.end, end));
    end = part.start;
  }
  return xml.slice(0, end) + pieces.toReversed().join('');
}
