/**
 * Ended calls as columns: fast to count and small to keep. Each field has a list of its values and, for each call, the
 * place of its value in that list. In memory, all blocks of a workspace share the lists, so that a value is looked up once
 * for all of them, and counts of several blocks are sums of numbers.
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

/** The values of one field. Blocks that share it have the same code for the same value. */
export interface Column {
  readonly values: readonly string[];
  /** The place of each value in `values`. */
  readonly places: ReadonlyMap<string, number>;
  /** For each call, the place of its value. */
  readonly codes: Uint32Array;
}

/** The numbers of calls in the order of `seq`, in which they ended. */
interface CallNumbers {
  readonly length: number;
  readonly seq: readonly number[];
  readonly endedAt: readonly number[];
  readonly durationMs: readonly number[];
  readonly characters: readonly number[];
  readonly kept: readonly number[];
}

export interface CallColumns extends CallNumbers, Readonly<Record<Field, Column>> {
  /** The earliest and the latest of `endedAt`. */
  readonly firstEndedAt: number;
  readonly lastEndedAt: number;
  /** The newest known name of each principal, by id; also of those in blocks that share it. */
  readonly names: ReadonlyMap<string, string>;
}

/** Ended calls as the store keeps them: each block has its own lists of values. */
export interface PackedCalls extends CallNumbers, Readonly<Record<Field, PackedColumn>> {
  /** The principals by id. */
  readonly principals: Readonly<Record<string, PrincipalRef>>;
}

interface PackedColumn {
  readonly values: readonly string[];
  readonly codes: readonly number[];
}

export function packCalls(calls: readonly CallFacts[]): PackedCalls {
  const principals = new Map(calls.flatMap((call) => call.principals.map((one) => [one.id, one] as const)));
  const columns = fields.map((field) => [field, packColumn(calls.map((call) => call[field]))] as const);
  return {
    ...(Object.fromEntries(columns) as Record<Field, PackedColumn>),
    length: calls.length,
    seq: calls.map(({ seq }) => seq),
    endedAt: calls.map(({ endedAt }) => endedAt),
    durationMs: calls.map(({ durationMs }) => durationMs),
    characters: calls.map(({ characters }) => characters),
    kept: calls.map(({ kept }) => kept),
    principals: Object.fromEntries(principals),
  };
}

function packColumn(all: readonly string[]): PackedColumn {
  const places = new Map<string, number>();
  const codes = all.map((value) => {
    const place = places.get(value) ?? places.size;
    places.set(value, place);
    return place;
  });
  return { values: [...places.keys()], codes };
}

/** The values that the blocks of a workspace share. It only grows. */
export interface CallValues {
  /** How many values there are, of all fields. */
  size(): number;
  /** Returns the calls with the codes of these values, and adds those that are new. */
  unpack(packed: PackedCalls): CallColumns;
}

export function createCallValues(): CallValues {
  const known = new Map(fields.map((field) => [field, { values: [] as string[], places: new Map<string, number>() }]));
  const names = new Map<string, string>();
  /** By principal: the row of the record that its name is from. */
  const namedBy = new Map<string, number>();

  function toColumn(field: Field, { values: packed, codes }: PackedColumn): Column {
    const { values = [], places = new Map<string, number>() } = known.get(field) ?? {};
    const codeOf = packed.map((value) => {
      const place = places.get(value) ?? values.push(value) - 1;
      places.set(value, place);
      return place;
    });
    return { values, places, codes: Uint32Array.from(codes, (code) => codeOf[code] ?? 0) };
  }

  return {
    size: () => [...known.values()].reduce((sum, { values }) => sum + values.length, 0),
    unpack({ principals, ...packed }) {
      const { seq, endedAt } = packed;
      const newest = seq.at(-1) ?? 0;
      for (const { id, name } of Object.values(principals)) {
        if ((namedBy.get(id) ?? -1) > newest) continue;
        names.set(id, name);
        namedBy.set(id, newest);
      }
      const columns = fields.map((field) => [field, toColumn(field, packed[field])] as const);
      return {
        ...packed,
        ...(Object.fromEntries(columns) as Record<Field, Column>),
        firstEndedAt: endedAt.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY),
        lastEndedAt: endedAt.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY),
        names,
      };
    },
  };
}

/** Calls with values of their own. */
export function toColumns(calls: readonly CallFacts[]): CallColumns {
  return createCallValues().unpack(packCalls(calls));
}
