/** Records of a service's answers: where each field comes from and what shape it has, declared once. */
import { z } from 'zod';

/** A field whose place in the answer has another name, or whose value is converted. */
export interface Field<Schema extends z.ZodType> {
  readonly schema: Schema;
  readonly read: (raw: object) => z.input<Schema> | undefined;
}

type Fields = Readonly<Record<string, z.ZodType | Field<z.ZodType>>>;
type SchemaOf<Entry> = Entry extends z.ZodType ? Entry : Entry extends Field<infer Schema> ? Schema : never;
type Schemas<Declared extends Fields> = { -readonly [Name in keyof Declared]: SchemaOf<Declared[Name]> };

export interface RecordDefinition<Declared extends Fields> {
  /** For the output schema of a tool. */
  readonly shape: z.ZodObject<Schemas<Declared>, z.core.$strict>;
  /** Takes the service's object; returns the tool's. Null counts as absent. The output schema checks the result. */
  readonly read: (raw: object) => z.input<z.ZodObject<Schemas<Declared>, z.core.$strict>>;
  /** The fields as they were declared, for a record that has these and more. */
  readonly fields: Declared;
}

/**
 * Declares a record. A field that is a schema is read from the member of the same name; `from` names another place, and
 * `computed` derives a field from the whole object.
 */
export function defineRecord<const Declared extends Fields>(fields: Declared): RecordDefinition<Declared> {
  const readers = Object.entries(fields).map(([name, field]) =>
    field instanceof z.ZodType ? { name, ...from(name, field) } : { name, ...field },
  );
  const shape = z.strictObject(
    Object.fromEntries(readers.map(({ name, schema }) => [name, schema])) as Schemas<Declared>,
  );
  const read = (raw: object) => {
    const record: Record<string, unknown> = {};
    for (const reader of readers) {
      const value = reader.read(raw);
      if (value !== undefined) record[reader.name] = value;
    }
    return record as z.input<typeof shape>;
  };
  return { shape, read, fields };
}

/**
 * A field at `path`: members joined by dots, such as `output.title`. `convert` turns the service's value into the tool's; it is
 * not called for what is absent or null.
 */
export function from<const Schema extends z.ZodType, Value = unknown>(
  path: string,
  schema: Schema,
  convert?: (value: Value) => z.input<Schema> | undefined,
): Field<Schema> {
  const steps = path.split('.');
  return {
    schema,
    read(raw) {
      let value: unknown = raw;
      for (const step of steps) value = ownMember(value, step);
      if (value === undefined) return undefined;
      return convert ? convert(value as Value) : (value as z.input<Schema>);
    },
  };
}

/** A field derived from the whole object of the service, whose members that `compute` needs `Raw` names. */
export function computed<const Schema extends z.ZodType, Raw extends object>(
  schema: Schema,
  compute: (raw: Raw) => z.input<Schema> | undefined,
): Field<Schema> {
  return { schema, read: (raw) => compute(raw as Raw) };
}

/** A field that is a list of records at `path`. */
export function listFrom<const Declared extends Fields>(path: string, { shape, read }: RecordDefinition<Declared>) {
  return from(path, z.array(shape), (raws: readonly object[]) => raws.map((raw) => read(raw)));
}

/** A field that has `value` where the service leaves it out. */
export function orElse<const Schema extends z.ZodType>(
  { schema, read }: Field<Schema>,
  value: z.input<Schema>,
): Field<Schema> {
  return { schema, read: (raw) => read(raw) ?? value };
}

function ownMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name] ?? undefined;
}
