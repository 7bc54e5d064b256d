/**
 * Records of Linear's answers: each declared field is selected in queries, read from answers, and described to callers.
 */
import { z } from 'zod';
import { defineRecord, type Field, from, listFrom, type RecordDefinition } from '../../util/record.js';

/** A field that also says what it adds to the selection of a query. */
export interface LinearField<Schema extends z.ZodType> extends Field<Schema> {
  readonly selection: string;
}

type Fields = Readonly<Record<string, z.ZodType | LinearField<z.ZodType>>>;

export interface LinearRecord<Declared extends Fields = Fields> extends RecordDefinition<Declared> {
  /** The fields as GraphQL selects them: `id name team { id }`. */
  readonly selection: string;
}

/** Declares a record. A field that is a schema is read from the member of the same name in camel case. */
export function defineLinearRecord<const Declared extends Fields>(declared: Declared): LinearRecord<Declared> {
  const fields = Object.entries(declared).map(
    ([name, field]) => [name, field instanceof z.ZodType ? at(toCamelCase(name), field) : field] as const,
  );
  const { shape, read } = defineRecord(Object.fromEntries(fields) as Declared);
  return { shape, read, fields: declared, selection: fields.map(([, { selection }]) => selection).join(' ') };
}

/** A field at another place: `active`, or `issue.identifier`. */
export function at<const Schema extends z.ZodType>(path: string, schema: Schema): LinearField<Schema> {
  const steps = path.split('.');
  return { ...from(path, schema), selection: `${steps.join(' { ')}${' }'.repeat(steps.length - 1)}` };
}

/** Another record in the member `name`. */
export function one<Declared extends Fields>(name: string, record: LinearRecord<Declared>) {
  return { ...from(name, record.shape, record.read), selection: `${name} { ${record.selection} }` };
}

/** Another record, or null. */
export function maybe<Declared extends Fields>(name: string, record: LinearRecord<Declared>, description?: string) {
  const schema = description === undefined ? record.shape.optional() : record.shape.optional().describe(description);
  return { ...one(name, record), schema };
}

/** A list, of which Linear sends the first `max`. `findCutLists` finds those that have more. */
export function list<Declared extends Fields>(name: string, record: LinearRecord<Declared>, max: number) {
  return {
    ...listFrom(`${name}.nodes`, record),
    selection: `${name}(first: ${max}) { nodes { ${record.selection} } pageInfo { hasNextPage } }`,
  };
}

/** The paths of all lists of this kind in an answer of which Linear has more than it sent. Those with a cursor are pages, and not among them. */
export function findCutLists(data: unknown, path: readonly string[] = []): string[] {
  if (typeof data !== 'object' || data === null) return [];
  const { pageInfo } = data as { pageInfo?: { readonly hasNextPage?: boolean; readonly endCursor?: unknown } | null };
  const isCut = pageInfo?.hasNextPage === true && !Object.hasOwn(pageInfo, 'endCursor');
  const within = Object.entries(data).flatMap(([name, value]) => findCutLists(value, [...path, name]));
  return isCut ? [path.join('.'), ...within] : within;
}

const toCamelCase = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
