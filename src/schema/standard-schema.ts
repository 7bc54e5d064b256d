/** An admitted schema as a Standard Schema (version 1) with its JSON Schema face: what agent frameworks take. */
import { HelveError } from '../domain/errors.js';
import { copyJson, type SchemaIssue, type Verdict } from './run.js';

/** As `StandardSchemaV1` and `StandardJSONSchemaV1` of `@standard-schema/spec` have it. */
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

export function standardSchemaOf(raw: unknown, validate: (value: unknown) => Verdict): KernelStandardSchema {
  const jsonSchema = ({ target }: { readonly target: string }): Record<string, unknown> => {
    if (target.startsWith('draft-')) return schemaObject(raw);
    throw new HelveError('invalid_input', `The schema cannot be written as ${JSON.stringify(target)}`, {
      hint: 'Ask for draft-2020-12 or draft-07: the schema is handed out as its author wrote it.',
    });
  };
  return {
    '~standard': {
      version: 1,
      vendor: 'helve',
      validate(value) {
        const verdict = validate(value);
        if (verdict.ok) return { value: verdict.value };
        return { issues: verdict.issues.map(({ message, path }) => ({ message, path: tokensOf(path) })) };
      },
      jsonSchema: { input: jsonSchema, output: jsonSchema },
    },
  };
}

/** A copy each time: those who are given one change it. Where only an object will do, `true` and `false` are said as one. */
export function schemaObject(raw: unknown): Record<string, unknown> {
  if (typeof raw === 'boolean') return raw ? {} : { not: {} };
  return copyJson(raw) as Record<string, unknown>;
}

/** What a JSON Pointer names, from the whole down. */
export const tokensOf = (path: SchemaIssue['path']): string[] =>
  path
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
