/** The data that the functions of this folder work on. */
import type { Element, Place } from './elements.js';

/** The elements so far, and the text that is not yet an element. */
export interface Builder {
  readonly elements: Element[];
  readonly notes: string[];
  heading: readonly string[];
  levels: readonly number[];
  /** Merged into the place of every added element. */
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
  /** Returns the place of a piece, from its first to its last row. */
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
