/** What the functions of this folder reach through `kit` in the process they run in (`sandbox.ts`). */
import type { Element, ElementType, Extracted, Place } from '../elements.js';
import type { SandboxKit } from '../sandbox.js';

export type Library = 'marked' | 'linkedom' | 'pdfjs' | 'mammoth' | 'exceljs' | 'fflate' | 'treeSitter';

/** Elements as they are found, and the text that waits to become one. */
export interface Builder {
  readonly elements: Element[];
  readonly notes: string[];
  heading: readonly string[];
  levels: readonly number[];
  /** Goes into the place of all that is added. */
  place: Place;
  pending: { readonly text: string; readonly lines: readonly [number, number] | undefined }[];
  pendingChars: number;
}

export interface TableRow {
  readonly cells: readonly string[];
  /** Line or row in the source. */
  readonly row?: number;
}

export interface TableFacts {
  readonly header: TableRow | undefined;
  readonly rows: readonly TableRow[];
  readonly caption?: string;
  /** Of the rows from the first to the last of a piece. */
  readonly placeOf?: (from: number | undefined, to: number | undefined) => Place;
}

export type Lines = readonly [number, number] | undefined;

export interface XmlNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly nodeValue: string | null;
  readonly textContent: string | null;
  readonly childNodes: ArrayLike<XmlNode> & Iterable<XmlNode>;
  getAttribute(name: string): string | null;
}

export interface Kit extends SandboxKit<Library> {
  newBuilder(): Builder;
  finish(builder: Builder): Extracted;
  addHeading(builder: Builder, level: number, text: string, line?: number): void;
  addParagraph(builder: Builder, text: string, lines?: Lines): void;
  addElement(builder: Builder, type: ElementType, text: string, more?: Partial<Element>, lines?: Lines): void;
  addTable(builder: Builder, table: TableFacts): void;
  flushText(builder: Builder): void;
  tidy(text: string): string;
  addInline(builder: Builder, text: string, lines: Lines, syntax: 'markdown' | 'html'): void;
  takeDisplayMath(text: string): { text: string; formulas: { tex: string; lines: readonly [number, number] }[] };
  addHtml(builder: Builder, html: string, lines?: Lines): Promise<void>;
  addCode(builder: Builder, code: string, language: string | undefined, firstLine: number | undefined): Promise<void>;
  declaredKinds(): Readonly<Record<string, string>>;
  languageName(name: string): string;
  mathText(node: XmlNode): string;
  withMath(xml: string): Promise<string>;
  openArchive(bytes: Uint8Array): Promise<Record<string, Uint8Array>>;
  packArchive(files: Record<string, Uint8Array>): Promise<Uint8Array>;
  extractMarkdown(text: string): Promise<Extracted>;
  extractHtml(html: string): Promise<Extracted>;
  extractText(text: string): Extracted;
  extractCode(code: string, language: string): Promise<Extracted>;
  extractCsv(text: string): Extracted;
  extractDocx(bytes: Uint8Array): Promise<Extracted>;
  extractXlsx(bytes: Uint8Array): Promise<Extracted>;
  refuseDeepMarkdown(text: string): void;
  refuseDeepHtml(html: string): void;
  extractPdf(bytes: Uint8Array): Promise<Extracted>;
  extractImage(bytes: Uint8Array, mediaType: string, name: string, caption: string | undefined): Promise<Extracted>;
}
