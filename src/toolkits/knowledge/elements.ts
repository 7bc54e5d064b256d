/** What a source is taken apart into. Every element says where in its source it stands, so that a hit can be looked up. */
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
  /** First and last, from 1. */
  readonly lines?: readonly [number, number];
  /** From the title of the document down. */
  readonly heading?: readonly string[];
  readonly sheet?: string;
  /** `B2:D9`. */
  readonly cells?: string;
  readonly symbol?: SymbolFacts;
  /** Outside the running text: `header`, `comments`. */
  readonly part?: string;
}

export interface Element {
  readonly type: ElementType;
  /** Of a table: a line a row, the header first. */
  readonly text: string;
  readonly place: Place;
  /** What stands around it and helps to find it. */
  readonly context?: string;
  /** Of code. */
  readonly language?: string;
  /** Where each line of `text` stands: its line or row in the source. */
  readonly rows?: readonly number[];
}

export interface Extracted {
  readonly elements: readonly Element[];
  /** What was left out or could not be read, in plain words. */
  readonly notes: readonly string[];
}

/** First line of what is stored for a source; the elements are the second line, the vectors the third. */
export interface SourceHead {
  /** Of `extract/`: another one means that the source is to be read again. */
  readonly format: number;
  readonly mediaType: string;
  readonly caption?: string;
  readonly counts: Readonly<Partial<Record<ElementType, number>>>;
  readonly notes: readonly string[];
  /** Whose vectors these are. */
  readonly model?: string;
}

/** Raised when the same bytes would give other elements. */
export const extractFormat = 2;

export function readHead(content: string): SourceHead {
  return JSON.parse(content.slice(0, content.indexOf('\n'))) as SourceHead;
}
