/**
 * Admits a raw JSON Schema: it is inspected once and not changed, so that a model receives it byte for byte. Admission
 * refuses, by name, each keyword that could not be honoured; everything it admits is honoured. Nothing is compiled
 * before the first value.
 */
import type { ZodType } from 'zod';
import { HelveError, toHelveError } from '../domain/errors.js';
import type { JsonSchema } from '../domain/json.js';
import { followReferences } from './admission/follow.js';
import { type Inspection, inspect } from './admission/inspect.js';
import { refusal } from './admission/refusal.js';
import { withDefaults } from './defaults.js';
import { type Dialect, type Draft, getDialect, getLaterDraft } from './dialect.js';
import { createGraph, type Graph } from './graph.js';
import { createReferences, type References, type Remotes } from './references.js';
import type { SchemaIssue, Verdict } from './run.js';
import { createStandardSchema, type KernelStandardSchema } from './standard-schema.js';
import { printTypeScript } from './typescript/index.js';
import { createValidator, type Validator } from './validator.js';
import { createZodType } from './zod.js';

export interface AdmissionOptions {
  /**
   * For documents without a `$schema`: `draft-04`, `draft-06`, `draft-07`, `2019-09` or `2020-12`. If omitted, the
   * schema is read as a tool's: as 2020-12, with common usage of draft-07 and OpenAPI 3.0.
   */
  readonly draft?: string;
  /** Other documents that references may lead to, by URI. Nothing is fetched. */
  readonly remotes?: Remotes;
  /** Whether `format` is asserted. If omitted: asserted unless a `draft` is named, because authors of tools mean it. */
  readonly formats?: 'assert' | 'annotate';
  /** Whether a valid result is a copy with the `default`s of omitted members filled in. */
  readonly defaults?: boolean;
}

export interface AdmittedSchema {
  /** The same object that was passed in. */
  readonly raw: JsonSchema | boolean;
  readonly draft: Draft;
  /** Returns the value with the `default`s of omitted members; the value itself if nothing is missing. */
  withDefaults(value: unknown): unknown;
  /** Never changes the value, and never takes long: a value that cannot be judged within bounds is refused. */
  validate(value: unknown): Verdict;
  /** Returns one Zod 4 type: it validates as here, and `z.toJSONSchema` returns the raw schema. */
  toZod(): ZodType<unknown>;
  toStandardSchema(): KernelStandardSchema;
  /** Returns `export type Name = …` and the types that it needs. */
  toTypeScript(name: string): string;
}

/**
 * Takes a raw schema. Throws `invalid_input`, naming keyword and JSON Pointer, for a schema that cannot be honoured.
 */
export function admitSchema(raw: unknown, options: AdmissionOptions = {}): AdmittedSchema {
  const found: Inspection = { references: false, dynamic: false, values: 0, names: 0, later: new Map() };
  let references: References | undefined;
  try {
    inspect(raw, found);
    if (found.references) references = createReferences(raw, options);
    if (options.draft === undefined && references) refuseLater(found, references.root.resource.dialect);
    else getDialect(options.draft);
    if (references && found.references) followReferences(references, found);
  } catch (error) {
    if (error instanceof HelveError) throw error;
    throw toHelveError(error, 'invalid_input');
  }
  const { formats = options.draft === undefined ? 'assert' : 'annotate' } = options;
  const known = references;
  const plain = !found.references && found.names === 0;
  return createAdmitted(raw as JsonSchema | boolean, options.defaults === true, found.references, () => {
    const all = known ?? createReferences(raw, { ...options, plain });
    return createGraph({ references: all, formats: formats === 'assert', dynamic: found.dynamic });
  });
}

/**
 * A document that declares draft-04 but uses `const` would be read without it, so that more values pass than its author
 * meant. If the caller names the draft, that draft applies: such keywords then mean nothing.
 */
function refuseLater(found: Inspection, dialect: Dialect): void {
  for (const [keyword, trail] of found.later) {
    const later = getLaterDraft(keyword, dialect);
    if (later === undefined) continue;
    const problem = `came with ${later}, and the schema says that it is of ${dialect.draft}, where it means nothing`;
    throw refusal(keyword, trail, problem, `Name ${later} or a later draft in $schema, or leave $schema out.`);
  }
}

/** `graphOf` is called once, when it is needed. */
function createAdmitted(
  raw: JsonSchema | boolean,
  fills: boolean,
  hasReferences: boolean,
  graphOf: () => Graph,
): AdmittedSchema {
  let made: { readonly graph: Graph; readonly validator: Validator } | undefined;
  const compiled = () => {
    if (made) return made;
    const graph = graphOf();
    made = { graph, validator: createValidator(graph) };
    return made;
  };
  const fillDefaults = (value: unknown) => withDefaults(compiled().graph, value);
  const validate = (given: unknown): Verdict => {
    const { validator } = compiled();
    const value = fills ? fillDefaults(given) : given;
    const verdict = validator.judge(value);
    if (verdict === true) return { ok: true, value };
    return verdict === false ? failure(validator, value) : { ok: false, issues: [{ path: '', message: verdict }] };
  };
  return {
    raw,
    get draft() {
      return compiled().graph.root.dialect.draft;
    },
    withDefaults: fillDefaults,
    validate,
    toZod: () => createZodType(raw, hasReferences, validate),
    toStandardSchema: () => createStandardSchema(raw, validate),
    toTypeScript: (name) => printTypeScript(name, raw, compiled().graph.references),
  };
}

/** Finding the reasons takes several times as long as the verdict, and many callers need only the verdict. */
function failure(validator: Validator, value: unknown): Verdict {
  let known: readonly SchemaIssue[] | undefined;
  return {
    ok: false,
    get issues() {
      known ??= validator.issues(value);
      return known;
    },
  };
}
