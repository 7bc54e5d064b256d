/** Fields that Google's records and tools share. */
import { z } from 'zod';
import { type Field, from } from '../../util/record.js';

interface Row<Shape extends z.ZodObject> {
  readonly shape: Shape;
  readonly read: (raw: object) => z.input<Shape>;
}

/** A list of records. Google leaves it out if it is empty. */
export function list<Shape extends z.ZodObject>(path: string, { shape, read }: Row<Shape>): Field<z.ZodArray<Shape>> {
  return withDefault(
    from(path, z.array(shape), (rows: readonly object[]) => rows.map(read)),
    [],
  );
}

/** A number. Google leaves it out if it is 0. */
export const count = (path: string) => withDefault(from(path, z.number()), 0);

function withDefault<Schema extends z.ZodType>(field: Field<Schema>, value: z.input<Schema>): Field<Schema> {
  return { schema: field.schema, read: (raw) => field.read(raw) ?? value };
}

export const pageToken = z.string().max(2_000).optional().describe('next_page_token of the page before');

export const nextPageToken = z.string().optional().describe('Absent on the last page');
