/**
 * Sets lines of text in mixed fonts. pdfkit's own wrapping uses one font per paragraph and draws missing characters as
 * empty boxes; here each character uses the first font that has it, and a character that no font has is refused by
 * name.
 */

import type { Fonts } from '../fonts.js';
import { colours, rightToLeft } from '../look.js';
import type { Run } from '../model.js';
import { getName, refuse } from '../refuse.js';

export interface Setting {
  readonly size: number;
  readonly colour?: string;
  readonly bold?: boolean;
  readonly italic?: boolean;
  /** Spaces stay as they are, as in code. */
  readonly keepSpaces?: boolean;
}

interface Piece {
  readonly text: string;
  readonly font: string;
  readonly width: number;
  readonly run: Run;
}

interface Word {
  pieces: Piece[];
  width: number;
  readonly kind: 'word' | 'space' | 'break';
}

export interface Line {
  readonly pieces: readonly Piece[];
  readonly width: number;
}

export interface Typesetter {
  lines(runs: readonly Run[], width: number, setting: Setting, place: string): Line[];
  /** Returns the width of the text on one line, and that of its widest unbreakable part. */
  extent(runs: readonly Run[], setting: Setting, place: string): { readonly whole: number; readonly word: number };
  draw(line: Line, x: number, top: number, setting: Setting): void;
}

export const lineHeight = (size: number): number => size * 1.38;

/** A line may be broken between any two of these. */
const ideograph = '[\\u2e80-\\u9fff\\uac00-\\ud7af\\uf900-\\ufaff\\uff00-\\uffef]|[\\u{20000}-\\u{3ffff}]';
const parts = new RegExp(`\\n|[ \\t]+|(?:${ideograph})|(?:(?!${ideograph})[^\\s])+|\\s`, 'gu');
const isIdeograph = new RegExp(`^(?:${ideograph})$`, 'u');
/** Joins, variants and direction marks: nothing is drawn for them. */
const invisible = /^(?:\u00ad|[\u200b-\u200f]|\u2060|[\ufe00-\ufe0f]|\ufeff)$/u;

interface Kit {
  readonly fontOf: FontFinder;
  measure(text: string, font: string, size: number): number;
}

export function createTypesetter(doc: PDFKit.PDFDocument, fonts: Fonts): Typesetter {
  const kit: Kit = {
    fontOf: createFontFinder(doc, fonts),
    measure: (text, font, size) => doc.font(font).fontSize(size).widthOfString(text),
  };
  return {
    lines: (runs, width, setting, place) => splitLines(kit, runs, width, setting, place),
    extent: (runs, setting, place) => measureExtent(kit, runs, setting, place),
    draw: (line, x, top, setting) => drawLine(doc, line, x, top, setting),
  };
}

function splitPieces({ fontOf, measure }: Kit, text: string, run: Run, setting: Setting, place: string): Piece[] {
  const pieces: Piece[] = [];
  let [part, font] = ['', ''];
  const flush = (): void => {
    if (part) pieces.push({ text: part, font, run, width: measure(part, font, setting.size) });
  };
  for (const character of text) {
    if (invisible.test(character)) continue;
    const next = fontOf(character, run, setting, place);
    if (next !== font) {
      flush();
      [part, font] = ['', next];
    }
    part += character;
  }
  flush();
  return pieces;
}

function splitWords(kit: Kit, runs: readonly Run[], setting: Setting, place: string): Word[] {
  const words: Word[] = [];
  for (const run of runs) {
    for (const [text] of run.text
      .replace(/\r\n?|[\u2028\u2029]/g, '\n')
      .replace(/\t/g, '    ')
      .matchAll(parts)) {
      const kind = text === '\n' ? 'break' : /^\s/u.test(text) ? 'space' : 'word';
      const pieces =
        kind === 'break' ? [] : splitPieces(kit, kind === 'space' ? blank(text) : text, run, setting, place);
      const width = pieces.reduce((sum, piece) => sum + piece.width, 0);
      const last = words.at(-1);
      const joins = kind === 'word' && last?.kind === 'word' && !isIdeograph.test(text) && !endsInIdeograph(last);
      if (last && joins) {
        last.pieces.push(...pieces);
        last.width += width;
      } else words.push({ kind, pieces, width });
    }
  }
  return words;
}

/** As many characters of a word that is wider than a line as fit. */
function* split({ measure }: Kit, word: Word, width: number, setting: Setting): Generator<Word> {
  let [pieces, filled]: [Piece[], number] = [[], 0];
  for (const piece of word.pieces) {
    let text = '';
    let wide = 0;
    for (const character of piece.text) {
      const more = measure(character, piece.font, setting.size);
      if (filled + wide + more > width && filled + wide > 0) {
        if (text) pieces.push({ ...piece, text, width: wide });
        yield { kind: 'word', pieces, width: filled + wide };
        [pieces, filled, text, wide] = [[], 0, '', 0];
      }
      text += character;
      wide += more;
    }
    if (text) pieces.push({ ...piece, text, width: wide });
    filled += wide;
  }
  if (pieces.length > 0) yield { kind: 'word', pieces, width: filled };
}

function splitLines(kit: Kit, runs: readonly Run[], width: number, setting: Setting, place: string): Line[] {
  const lines: Line[] = [];
  let line: Word[] = [];
  let filled = 0;
  const end = (): void => {
    while (!setting.keepSpaces && line.at(-1)?.kind === 'space') filled -= line.pop()?.width ?? 0;
    lines.push({ pieces: joined(line), width: filled });
    [line, filled] = [[], 0];
  };
  const add = (word: Word): void => {
    line.push(word);
    filled += word.width;
  };
  for (const word of splitWords(kit, runs, setting, place)) {
    if (word.kind === 'break') end();
    else if (word.kind === 'space' && !setting.keepSpaces) {
      if (line.length > 0) add(word);
    } else if (filled + word.width <= width + 0.01) add(word);
    else if (word.width <= width) {
      end();
      add(word);
    } else {
      if (line.length > 0) end();
      for (const part of split(kit, word, width, setting)) {
        if (line.length > 0) end();
        add(part);
      }
    }
  }
  if (line.length > 0 || lines.length === 0) end();
  return lines;
}

function measureExtent(
  kit: Kit,
  runs: readonly Run[],
  setting: Setting,
  place: string,
): { whole: number; word: number } {
  let [whole, widest, line] = [0, 0, 0];
  for (const word of splitWords(kit, runs, setting, place)) {
    line = word.kind === 'break' ? 0 : line + word.width;
    whole = Math.max(whole, line);
    if (word.kind === 'word') widest = Math.max(widest, word.width);
  }
  return { whole, word: widest };
}

/** Spaces of all widths become ordinary spaces; no-break spaces are parts of their words by now. */
const blank = (text: string): string => ' '.repeat(text.length);

function endsInIdeograph(word: Word): boolean {
  const last = word.pieces.at(-1)?.text ?? '';
  return isIdeograph.test([...last.slice(-2)].at(-1) ?? '');
}

/**
 * Neighbours with the same look become one piece, which makes the file smaller and lets a search find the whole text.
 */
function joined(words: readonly Word[]): Piece[] {
  const pieces: Piece[] = [];
  for (const piece of words.flatMap((word) => word.pieces)) {
    const last = pieces.at(-1);
    if (last && last.font === piece.font && last.run === piece.run) {
      pieces[pieces.length - 1] = { ...last, text: last.text + piece.text, width: last.width + piece.width };
    } else pieces.push(piece);
  }
  return pieces;
}

function drawLine(doc: PDFKit.PDFDocument, line: Line, x: number, top: number, setting: Setting): void {
  const { size, colour = colours.text } = setting;
  const base = top + size * 1.04;
  let at = x;
  for (const { text, font, width, run } of line.pieces) {
    const ink = `#${run.link === undefined ? colour : colours.link}`;
    if (run.code && !setting.keepSpaces) doc.rect(at, top, width, size * 1.3).fill(`#${colours.shade}`);
    doc.font(font).fontSize(size).fillColor(ink).text(text, at, base, { lineBreak: false, baseline: 'alphabetic' });
    const rule = (y: number): void =>
      void doc
        .moveTo(at, y)
        .lineTo(at + width, y)
        .lineWidth(size / 16)
        .stroke(ink);
    if (run.strike) rule(base - size * 0.3);
    if (run.link !== undefined) {
      rule(base + size * 0.12);
      doc.link(at, top, width, lineHeight(size), run.link);
    }
    at += width;
  }
}

type FontFinder = (character: string, run: Run, setting: Setting, place: string) => string;

function createFontFinder(doc: PDFKit.PDFDocument, fonts: Fonts): FontFinder {
  const known = new Map<string, boolean>();
  const has = (font: string, character: string): boolean => {
    const key = font + character;
    const answer = known.get(key) ?? hasGlyph(doc, font, character);
    known.set(key, answer);
    return answer;
  };
  return (character, run, setting, place) => {
    const [bold, italic] = [run.bold || setting.bold, run.italic || setting.italic];
    if (rightToLeft.test(character)) {
      const hint = 'Use format docx, pptx or xlsx: the programs that open them lay the text out.';
      refuse(`${place}: a pdf made here cannot hold right-to-left text: ${getName(character)}`, hint);
    }
    if (run.code && /^[\u0020-\u007e]$/.test(character)) return `Courier${codeStyles[`${!!bold} ${!!italic}`] ?? ''}`;
    const first = bold && italic ? fonts.boldItalic : bold ? fonts.bold : italic ? fonts.italic : fonts.regular;
    const font = [first, fonts.regular, ...fonts.others].find((path) => has(path, character));
    if (font !== undefined) return font;
    return refuse(
      `${place}: no font here has the character ${getName(character)}`,
      'Leave it out, use format docx, pptx or xlsx, whose programs have their own fonts, or ask the operator to name a font file that has it under toolkits.documents.fonts in helve.yaml.',
    );
  };
}

const codeStyles: Readonly<Record<string, string>> = {
  'true false': '-Bold',
  'false true': '-Oblique',
  'true true': '-BoldOblique',
};

/** pdfkit's types do not show the font that it opened. */
function hasGlyph(doc: PDFKit.PDFDocument, font: string, character: string): boolean {
  const opened = doc.font(font) as unknown as {
    _font: { font: { hasGlyphForCodePoint(point: number): boolean } };
  };
  return opened._font.font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
}
