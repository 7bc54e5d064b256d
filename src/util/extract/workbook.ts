/**
 * Prepares a workbook of any program for ExcelJS, which knows only the names and marks that Excel uses and fails on charts,
 * notes and tables of other programs. It gets the cells, their texts and their formats; the rest is read here.
 */
import { refuse } from './refuse.js';

type Files = Readonly<Record<string, Uint8Array>>;

export interface SheetFacts {
  readonly name: string;
  readonly isHidden: boolean;
  readonly hasHiddenCells: boolean;
  readonly hasDrawings: boolean;
  /** By address: `B2`. */
  readonly notes: ReadonlyMap<string, string>;
}

export interface PreparedWorkbook {
  readonly files: Record<string, Uint8Array>;
  /** In their order; the sheets in `files` are named 1, 2, … */
  readonly sheets: readonly SheetFacts[];
}

/** Throws `invalid_input` if the archive has no workbook. */
export function prepareWorkbook(files: Files): PreparedWorkbook {
  const { content: workbook, relations } = readMain(files, 'XLSX', 'workbook');
  const prepared: Record<string, string> = {};
  const sheets: SheetFacts[] = [];
  for (const [, attributes = ''] of workbook.matchAll(/<sheet\s([^<>]*)>/g)) {
    const relation = relations.find(({ id }) => id === readAttribute(attributes, '[\\w.-]+:id'));
    const content = relation?.kind === 'worksheet' ? readPart(files, relation.target) : undefined;
    if (relation === undefined || content === undefined) continue;
    const parts = listRelations(files, relation.target);
    prepared[`xl/worksheets/sheet${sheets.length + 1}.xml`] =
      `<worksheet>${keepElement(addAddresses(content), 'sheetData')}${keepElement(content, 'mergeCells')}</worksheet>`;
    sheets.push({
      name: readAttribute(attributes, 'name') ?? '',
      isHidden: /hidden/i.test(readAttribute(attributes, 'state') ?? ''),
      hasHiddenCells: /<(?:row|col)\s[^<>]*\bhidden="(?:1|true)"/.test(content),
      hasDrawings: parts.some(({ kind }) => kind === 'drawing'),
      notes: readNotes(files, parts),
    });
  }
  const places = sheets.map((_, at) => `<sheet name="${at + 1}" sheetId="${at + 1}" r:id="r${at + 1}"/>`);
  const targets = sheets.map((_, at) => `<Relationship Id="r${at + 1}" Target="worksheets/sheet${at + 1}.xml"/>`);
  const counts1904 = /<workbookPr\s[^<>]*\bdate1904="(?:1|true)"/.test(workbook);
  prepared['xl/workbook.xml'] =
    `<workbook><workbookPr date1904="${counts1904 ? 1 : 0}"/><sheets>${places.join('')}</sheets></workbook>`;
  prepared['xl/_rels/workbook.xml.rels'] = `<Relationships>${targets.join('')}</Relationships>`;
  for (const { kind, target } of relations) {
    const content = readPart(files, target) ?? '';
    if (kind === 'sharedStrings') prepared['xl/sharedStrings.xml'] = content;
    if (kind === 'styles') prepared['xl/styles.xml'] = keepFormats(content);
  }
  const encoder = new TextEncoder();
  const encoded = Object.entries(prepared).map(([name, content]) => [name, encoder.encode(content)] as const);
  return { files: Object.fromEntries(encoded), sheets };
}

interface Relation {
  readonly id: string;
  /** The last word of its type: `worksheet`. */
  readonly kind: string;
  /** The name of the part in the archive. */
  readonly target: string;
}

/** The main part of an Office archive, and its relations. Throws `invalid_input` if there is none, because then it is not of this format. */
export function readMain(files: Files, format: string, what: string) {
  const [main] = listRelations(files, '').filter(({ kind }) => kind === 'officeDocument');
  const content = main && readPart(files, main.target);
  if (main === undefined || content === undefined)
    return refuse('invalid_input', `The document cannot be read as ${format}: it has no ${what}`);
  return { content, relations: listRelations(files, main.target) };
}

/** The relations of a part; of the archive itself for an empty name. */
export function listRelations(files: Files, part: string): Relation[] {
  const [, folder = '', name = ''] = /^(.*\/)?([^/]*)$/.exec(part) ?? [];
  const content = readPart(files, `${folder}_rels/${name}.rels`) ?? '';
  return [...content.matchAll(/<Relationship\s([^<>]*)>/g)].map(([, attributes = '']) => ({
    id: readAttribute(attributes, 'Id') ?? '',
    kind: /[^/]*$/.exec(readAttribute(attributes, 'Type') ?? '')?.[0] ?? '',
    target: new URL(readAttribute(attributes, 'Target') ?? '', `zip:///${folder}`).pathname.slice(1),
  }));
}

/** The XML of a part, without the prefix that some programs write before each name. */
export function readPart(files: Files, part: string): string | undefined {
  const name = Object.keys(files).find((one) => one.toLowerCase() === decodeURIComponent(part).toLowerCase());
  if (name === undefined) return undefined;
  const content = new TextDecoder().decode(files[name]);
  const prefix = /^\s*(?:<\?[^>]*>\s*)*<([\w.-]+):/.exec(content)?.[1];
  return prefix === undefined ? content : content.replaceAll(`<${prefix}:`, '<').replaceAll(`</${prefix}:`, '</');
}

export function readAttribute(attributes: string, name: string): string | undefined {
  const [, double, single] = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes) ?? [];
  const value = double ?? single;
  return value === undefined ? undefined : plainXml(value);
}

function keepElement(content: string, name: string): string {
  const start = content.indexOf(`<${name}`);
  const end = start < 0 ? -1 : content.indexOf(`</${name}>`, start);
  return end < 0 ? '' : content.slice(start, end + name.length + 3);
}

/** Only how numbers are written: ExcelJS stops at some fonts and fills that other programs accept. */
function keepFormats(content: string): string {
  const formats = [...keepElement(content, 'cellXfs').matchAll(/<xf\s([^<>]*)>/g)].map(
    ([, attributes = '']) => `<xf numFmtId="${Number(readAttribute(attributes, 'numFmtId') ?? 0)}"/>`,
  );
  return `<styleSheet>${keepElement(content, 'numFmts')}<cellXfs>${formats.join('')}</cellXfs></styleSheet>`;
}

/** Rows and cells may leave out where they are: they then follow the one before. Dates may be written as text. */
function addAddresses(content: string): string {
  const dated = content.replaceAll(/(<c\s[^<>]*\bt=)"d"/g, '$1"str"');
  if (!/<(?:row|c)(?=[\s>])(?![^<>]*\sr=)/.test(dated)) return dated;
  let row = 0;
  let column = 0;
  return dated.replaceAll(/<(row|c)(?=[\s/>])([^<>]*)>/g, (whole, tag: string, attributes: string) => {
    const given = readAttribute(attributes, 'r');
    if (tag === 'row') {
      row = given === undefined ? row + 1 : Number(given);
      column = 0;
      return given === undefined ? `<row r="${row}"${attributes}>` : whole;
    }
    column = given === undefined ? column + 1 : columnNumber(given);
    return given === undefined ? `<c r="${columnName(column)}${row}"${attributes}>` : whole;
  });
}

/** Newer programs keep the talk about a cell in a part of its own, and leave only a stopgap in the note. */
function readNotes(files: Files, parts: readonly Relation[]): Map<string, string> {
  const notes = new Map<string, string>();
  for (const [kind, element] of [
    ['comments', 'comment'],
    ['threadedComment', 'threadedComment'],
  ] as const) {
    const ofKind = new Map<string, string>();
    for (const { target } of parts.filter((part) => part.kind === kind)) {
      const talk = new RegExp(`<${element}\\s([^<>]*)>([\\s\\S]*?)</${element}>`, 'g');
      for (const [, attributes = '', inner = ''] of (readPart(files, target) ?? '').matchAll(talk)) {
        const address = readAttribute(attributes, 'ref') ?? '';
        const texts = [...inner.matchAll(/<(?:t|text)(?:\s[^<>]*)?>([^<]+)</g)].map(([, text = '']) => plainXml(text));
        const text = [ofKind.get(address) ?? '', texts.join('')].filter((one) => one.trim() !== '').join('; ');
        ofKind.set(address, text);
      }
    }
    for (const [address, text] of ofKind) notes.set(address, text);
  }
  return notes;
}

function columnNumber(address: string): number {
  let number = 0;
  for (const letter of /^[A-Z]{1,3}/.exec(address)?.[0] ?? '') number = number * 26 + letter.charCodeAt(0) - 64;
  return number;
}

/** Returns `AB` for 28. */
export function columnName(column: number): string {
  let name = '';
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  }
  return name || 'A';
}

/** Replaces the references that every XML document may contain: `&amp;` and `&#228;`. */
export function plainXml(text: string): string {
  const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return text.replaceAll(/&(#?\w+);/g, (whole, name: string) => {
    if (!name.startsWith('#')) return Object.hasOwn(named, name) ? (named[name] ?? whole) : whole;
    const code = Number(name.slice(1).replace(/^x/i, '0x'));
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
