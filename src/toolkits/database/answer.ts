/** The question to a database and its answer, the same for every database, and the limits of an answer. */
import type { z } from 'zod';
import type { Connector } from '../../domain/reach.js';
import type { Workers } from '../../domain/workers.js';

/** A value of a row. */
export type Cell = z.core.util.JSONType;

export interface Reach {
  readonly connector: Connector;
  readonly signal: AbortSignal;
  readonly workers: Workers;
}

export interface Question {
  readonly sql: string;
  readonly parameters: readonly (string | number | boolean | null)[];
  readonly maxRows: number;
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

export interface Answer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** The number of rows that a writing statement changed. */
  readonly changed?: number;
  readonly truncated: boolean;
}

/** Collects rows until a limit is reached. */
export function createCollector({ maxRows, maxBytes }: Pick<Question, 'maxRows' | 'maxBytes'>) {
  const rows: Cell[][] = [];
  let bytes = 0;
  let truncated = false;
  return {
    rows,
    get truncated() {
      return truncated;
    },
    /** Returns false if the row no longer fits. */
    take(row: Cell[]): boolean {
      const size = JSON.stringify(row).length;
      truncated = rows.length >= maxRows || bytes + size > maxBytes;
      if (truncated) return false;
      bytes += size;
      rows.push(row);
      return true;
    },
  };
}
