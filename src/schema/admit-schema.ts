/**
 * A raw JSON Schema, looked at once and kept as it is: what a model is sent stays equal byte for byte. Admission refuses by
 * name what could not be honoured; what it admits is honoured. Nothing is compiled before the first value comes.
 */
import type { ZodType } from 'zod';
import { HelveError, toHelveError } from '../domain/errors.js';
import type { JsonSchema } from '../domain/json.js';
import { followReferences } from './admission/follow.js';
import { type Inspection, inspect } from './admission/inspect.js';
import { refusal } from './admission/refusal.js';
import { withDefaults } from './defaults.js';
import { type Dialect, type Draft, dialectOf, laterDraftOf } from './dialect.js';
import { createGraph, type Graph } from './graph.js';
import { createReferences, type References, type Remotes } from './references.js';
import type { SchemaIssue, Verdict } from './run.js';
import { type KernelStandardSchema, standardSchemaOf } from './standard-schema.js';
import { printTypeScript } from './typescript/index.js';
import { createValidator, type Validator } from './validator.js';
import { zodOf } from './zod.js';

export interface AdmissionOptions {
  /**
   * For documents without a `$schema`: `draft-04`, `draft-06`, `draft-07`, `2019-09` or `2020-12`. Left out, the schema is
   * read as a tool's: as 2020-12 with the habits of draft-07 and OpenAPI 3.0.
   */
  readonly draft?: string;
  /** What references to other documents may lead to, by URI. Nothing is fetched. */
  readonly remotes?: Remotes;
  /** Whether `format` is held to. Left out: where no `draft` is named, as the author of a tool means it. */
  readonly formats?: 'assert' | 'annotate';
  /** Whether a valid answer is a copy with the `default`s of members that were left out. */
  readonly defaults?: boolean;
}

export interface AdmittedSchema {
  /** The very object that was given. */
  readonly raw: JsonSchema | boolean;
  readonly draft: Draft;
  /** Never changes the value, and never takes long: what cannot be judged within bounds is refused. */
  validate(value: unknown): Verdict;
  /** One Zod 4 type: validated as here, with `z.toJSONSchema` giving the raw schema. */
  toZod(): ZodType<unknown>;
  toStandardSchema(): KernelStandardSchema;
  /** `export type Name = …` with the types that it needs. */
  toTypeScript(name: string): string;
}

/** Throws `invalid_input` naming keyword and JSON Pointer for a schema that cannot be honoured. */
export function admitSchema(raw: unknown, options: AdmissionOptions = {}): AdmittedSchema {
  const found: Inspection = { references: false, dynamic: false, values: 0, names: 0, later: new Map() };
  let references: References | undefined;
  try {
    inspect(raw, found);
    if (found.references) references = createReferences(raw, options);
    if (options.draft === undefined && references) refuseLater(found, references.root.resource.dialect);
    else dialectOf(options.draft);
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
 * A document that says it is of draft-04 and uses `const` would be read without it, so that more passes than its author
 * meant. A caller who names the draft gets what that draft says: such keywords mean nothing.
 */
function refuseLater(found: Inspection, dialect: Dialect): void {
  for (const [keyword, trail] of found.later) {
    const later = laterDraftOf(keyword, dialect);
    if (later === undefined) continue;
    const problem = `came with ${later}, and the schema says that it is of ${dialect.draft}, where it means nothing`;
    throw refusal(keyword, trail, problem, `Name ${later} or a later draft in $schema, or leave $schema out.`);
  }
}

/** `graphOf` is asked once, when it is needed. */
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
  const validate = (given: unknown): Verdict => {
    const { graph, validator } = compiled();
    const value = fills ? withDefaults(graph, given) : given;
    const verdict = validator.judge(value);
    if (verdict === true) return { ok: true, value };
    return verdict === false ? failure(validator, value) : { ok: false, issues: [{ path: '', message: verdict }] };
  };
  return {
    raw,
    get draft() {
      return compiled().graph.root.dialect.draft;
    },
    validate,
    toZod: () => zodOf(raw, hasReferences, validate),
    toStandardSchema: () => standardSchemaOf(raw, validate),
    toTypeScript: (name) => printTypeScript(name, raw, compiled().graph.references),
  };
}

/** To say why takes several times as long as to say no, and many only ask whether. */
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
