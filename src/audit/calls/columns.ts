/**
 * Ended calls as columns: fast to count and small to keep. Each field has a list of its values and, for each call, the
 * place of its value in that list.
 */
import type { PrincipalRef } from '../../domain/principal.js';

const fields = [
  'status',
  'actor',
  'onBehalfOf',
  'tool',
  'toolkit',
  'connection',
  'rule',
  'error',
  'risk',
  'door',
] as const;
export type Field = (typeof fields)[number];

/** One call. A field without a value is the empty text. Times are milliseconds since 1970. */
export interface CallFacts extends Readonly<Record<Field, string>> {
  readonly seq: number;
  readonly endedAt: number;
  /** -1 if it did not run. */
  readonly durationMs: number;
  readonly characters: number;
  readonly kept: number;
  readonly principals: readonly PrincipalRef[];
}

export interface Column {
  readonly values: readonly string[];
  readonly codes: readonly number[];
}

/** Calls in the order of `seq`, in which they ended. */
export interface CallColumns extends Readonly<Record<Field, Column>> {
  readonly length: number;
  readonly seq: readonly number[];
  readonly endedAt: readonly number[];
  readonly durationMs: readonly number[];
  readonly characters: readonly number[];
  readonly kept: readonly number[];
  /** The principals by id. */
  readonly principals: Readonly<Record<string, PrincipalRef>>;
}

export function toColumns(calls: readonly CallFacts[]): CallColumns {
  const principals = new Map(calls.flatMap((call) => call.principals.map((one) => [one.id, one] as const)));
  const columns = fields.map((field) => [field, toColumn(calls.map((call) => call[field]))] as const);
  return {
    ...(Object.fromEntries(columns) as Record<Field, Column>),
    length: calls.length,
    seq: calls.map(({ seq }) => seq),
    endedAt: calls.map(({ endedAt }) => endedAt),
    durationMs: calls.map(({ durationMs }) => durationMs),
    characters: calls.map(({ characters }) => characters),
    kept: calls.map(({ kept }) => kept),
    principals: Object.fromEntries(principals),
  };
}

function toColumn(all: readonly string[]): Column {
  const places = new Map<string, number>();
  const codes = all.map((value) => {
    const place = places.get(value) ?? places.size;
    places.set(value, place);
    return place;
  });
  return { values: [...places.keys()], codes };
}
