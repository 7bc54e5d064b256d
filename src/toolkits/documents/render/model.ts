/** A document as the writers of all formats get it: texts are parsed, pictures are decoded, everything is checked. */
import type { DocumentFormat, DocumentInput } from '../shapes.js';

export interface Run {
  readonly text: string;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly code?: boolean;
  readonly strike?: boolean;
  readonly link?: string;
}

export interface Item {
  readonly runs: readonly Run[];
  readonly items: readonly Item[];
}

export interface Cell {
  readonly runs: readonly Run[];
  /** Aligned to the right, as numbers are. */
  readonly numeric: boolean;
}

export interface Picture {
  readonly bytes: Buffer;
  readonly type: 'png' | 'jpg';
  readonly width: number;
  readonly height: number;
}

export type ChartKind = 'bar' | 'line' | 'pie' | 'area' | 'scatter';

export interface Chart {
  readonly kind: ChartKind;
  readonly title: string | undefined;
  readonly categories: readonly (string | number)[];
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[];
}

/** Its place in the input: `content[3]`, `content[2].blocks[0]`. */
interface Placed {
  readonly place: string;
}

export interface Table extends Placed {
  readonly type: 'table';
  readonly header: readonly Cell[] | undefined;
  readonly rows: readonly (readonly Cell[])[];
  readonly columns: number;
  readonly widths: readonly number[] | undefined;
  readonly caption: readonly Run[] | undefined;
}

export type Flow =
  | (Placed & { readonly type: 'heading'; readonly level: number; readonly runs: readonly Run[] })
  | (Placed & { readonly type: 'paragraph' | 'quote'; readonly runs: readonly Run[] })
  | (Placed & { readonly type: 'list'; readonly ordered: boolean; readonly items: readonly Item[] })
  | Table
  | (Placed & { readonly type: 'image'; readonly picture: Picture; readonly alt: string; readonly percent?: number })
  | (Placed & { readonly type: 'chart'; readonly chart: Chart })
  | (Placed & { readonly type: 'code'; readonly text: string })
  | (Placed & { readonly type: 'page_break' });

export type SheetCell = string | number | boolean | null | { readonly date: Date } | { readonly formula: string };
export type ColumnFormat = 'general' | 'text' | 'integer' | 'number' | 'percent' | 'date' | 'datetime';

export interface Sheet extends Placed {
  readonly type: 'sheet';
  readonly name: string;
  readonly columns: readonly { header: string; format: ColumnFormat; width?: number | undefined }[] | undefined;
  readonly rows: readonly (readonly SheetCell[])[];
  readonly freeze: boolean;
}

export interface Slide extends Placed {
  readonly type: 'slide';
  readonly layout: 'content' | 'title' | 'two_columns';
  readonly title: readonly Run[];
  readonly subtitle: readonly Run[] | undefined;
  readonly blocks: readonly Flow[];
  readonly notes: string | undefined;
}

export type Block = Flow | Sheet | Slide;

export interface Document {
  readonly title: string | undefined;
  readonly author: string | undefined;
  readonly blocks: readonly Block[];
  readonly landscape: boolean;
  readonly pageSize: 'a4' | 'letter';
  /** The creation time that the file states. */
  readonly at: Date;
  /** Files of fonts for characters that ours lack. */
  readonly fonts: readonly string[];
  /** What was done differently in this format, as notes for the caller. */
  readonly notes: string[];
}

export interface RenderRequest {
  readonly input: DocumentInput;
  /** Files of fonts for characters that ours lack. */
  readonly fonts: readonly string[];
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface Rendered {
  readonly bytes: Uint8Array;
  readonly notes: readonly string[];
}

export type { DocumentFormat, DocumentInput };
