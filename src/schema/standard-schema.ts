/** An admitted schema as a Standard Schema (version 1) with its JSON Schema form, which agent frameworks accept. */
import { HelveError } from '../domain/errors.js';
import { copyJson, type SchemaIssue, type Verdict } from './run.js';

/** As defined by `StandardSchemaV1` and `StandardJSONSchemaV1` of `@standard-schema/spec`. */
export interface KernelStandardSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'helve';
    readonly types?: { readonly input: unknown; readonly output: unknown } | undefined;
    readonly validate: (
      value: unknown,
    ) =>
      | { readonly value: unknown; readonly issues?: undefined }
      | { readonly issues: readonly { readonly message: string; readonly path: readonly string[] }[] };
    readonly jsonSchema: {
      readonly input: (options: { readonly target: string }) => Record<string, unknown>;
      readonly output: (options: { readonly target: string }) => Record<string, unknown>;
    };
  };
}

export function createStandardSchema(raw: unknown, validate: (value: unknown) => Verdict): KernelStandardSchema {
  const jsonSchema = ({ target }: { readonly target: string }): Record<string, unknown> => {
    if (target.startsWith('draft-')) return schemaObject(raw);
    throw new HelveError('invalid_input', `The schema cannot be written as ${JSON.stringify(target)}`, {
      hint: 'Ask for draft-2020-12 or draft-07: the schema is returned as its author wrote it.',
    });
  };
  return {
    '~standard': {
      version: 1,
      vendor: 'helve',
      validate(value) {
        const verdict = validate(value);
        if (verdict.ok) return { value: verdict.value };
        return { issues: verdict.issues.map(({ message, path }) => ({ message, path: readTokens(path) })) };
      },
      jsonSchema: { input: jsonSchema, output: jsonSchema },
    },
  };
}

/**
 * Returns a new copy each time, because consumers change it. `true` and `false` are written as objects, since some
 * consumers accept only objects.
 */
export function schemaObject(raw: unknown): Record<string, unknown> {
  if (typeof raw === 'boolean') return raw ? {} : { not: {} };
  return copyJson(raw) as Record<string, unknown>;
}

/** The parts of a JSON Pointer, from the root down. */
export const readTokens = (path: SchemaIssue['path']): string[] =>
  path
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
