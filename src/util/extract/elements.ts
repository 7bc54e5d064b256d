/**
 * The elements into which a source is divided. Every element states its place in the source, so that a hit can be
 * looked up there.
 */
export const elementTypes = ['text', 'table', 'image', 'formula', 'symbol', 'code'] as const;
export type ElementType = (typeof elementTypes)[number];

export interface SymbolFacts {
  readonly name: string;
  readonly kind: string;
  /** The class or module around it. */
  readonly container?: string;
}

export interface Place {
  readonly page?: number;
  /** First and last line, from 1. */
  readonly lines?: readonly [number, number];
  /** The headings around it, from the title of the document down. */
  readonly heading?: readonly string[];
  readonly sheet?: string;
  /** `B2:D9`. */
  readonly cells?: string;
  readonly symbol?: SymbolFacts;
  /** A part outside the running text: `header`, `comments`, `hidden sheet`. */
  readonly part?: string;
}

export interface Element {
  readonly type: ElementType;
  /** For a table: one line per row, the header first. */
  readonly text: string;
  readonly place: Place;
  /** Text around it that helps to find it. */
  readonly context?: string;
  /** Of code. */
  readonly language?: string;
  /** The line or row in the source for each line of `text`. */
  readonly rows?: readonly number[];
}

export interface Extracted {
  readonly elements: readonly Element[];
  /** What was left out or could not be read, in plain words. */
  readonly notes: readonly string[];
  /** Whether there are pages, and none has text. */
  readonly hasNoText?: boolean;
}

/** The first line of a stored source; the elements are the second line, the vectors the third. */
export interface SourceHead {
  /** The format version of `extract/`: if it has changed, the source must be read again. */
  readonly format: number;
  readonly mediaType: string;
  readonly caption?: string;
  readonly counts: Readonly<Partial<Record<ElementType, number>>>;
  readonly notes: readonly string[];
  /** The model that made the vectors. */
  readonly model?: string;
}

/** Increased whenever the same bytes would give other elements. */
export const extractFormat = 4;

export function readHead(content: string): SourceHead {
  return JSON.parse(content.slice(0, content.indexOf('\n'))) as SourceHead;
}
