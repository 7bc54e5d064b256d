/**
 * The draft of JSON Schema that a document is written in, and which of its vocabularies count.
 *
 * A tool's schema usually does not say. It is then read as 2020-12, with common usage of draft-07 and OpenAPI 3.0 where
 * the two do not conflict: `definitions`, `dependencies`, `items` as a list, `nullable`, a boolean `exclusiveMinimum`;
 * and `format` is asserted, as its author means it (`tool`).
 */
import { HelveError } from '../domain/errors.js';
import { isPlainObject } from '../util/canonical.js';

const drafts = ['draft-04', 'draft-06', 'draft-07', '2019-09', '2020-12'] as const;
export type Draft = (typeof drafts)[number];

export interface Dialect {
  readonly draft: Draft;
  /** 0 for the numbered drafts. */
  readonly year: number;
  /** The draft is not stated: common usage of other drafts is honoured. */
  readonly tool: boolean;
  /** Whether `minLength`, `type`, `required` and the like count. A metaschema can omit that vocabulary. */
  readonly validation: boolean;
  /** Whether the metaschema requires that `format` is asserted. */
  readonly formatAssertion: boolean;
}

const plain = (draft: Draft): Dialect => ({
  draft,
  year: draft.startsWith('draft') ? 0 : Number(draft.slice(0, 4)),
  tool: false,
  validation: true,
  formatAssertion: false,
});
const byDraft: ReadonlyMap<string, Dialect> = new Map(drafts.map((draft) => [draft, plain(draft)]));
const tool: Dialect = { ...plain('2020-12'), tool: true };

/** Keywords that affect validation, with the draft that introduced them. In earlier drafts they mean nothing. */
const broughtBy: ReadonlyMap<string, Draft> = new Map(
  Object.entries({
    'draft-06': ['const', 'contains', 'propertyNames'],
    'draft-07': ['if', 'then', 'else'],
    '2019-09': ['dependentRequired', 'dependentSchemas', 'maxContains', 'minContains', 'unevaluatedItems'].concat(
      'unevaluatedProperties',
    ),
    '2020-12': ['prefixItems'],
  } satisfies Partial<Record<Draft, readonly string[]>>).flatMap(([draft, keywords]) =>
    keywords.map((keyword) => [keyword, draft as Draft] as const),
  ),
);

/** The draft that introduced this keyword, if it is later than the dialect's. */
export function getLaterDraft(keyword: string, { draft, tool: isTool }: Dialect): Draft | undefined {
  const from = isTool ? undefined : broughtBy.get(keyword);
  return from !== undefined && drafts.indexOf(from) > drafts.indexOf(draft) ? from : undefined;
}

export const isLaterKeyword = (keyword: string): boolean => broughtBy.has(keyword);

const bySchema: ReadonlyMap<string, Draft> = new Map([
  ['http://json-schema.org/draft-04/schema', 'draft-04'],
  ['http://json-schema.org/draft-06/schema', 'draft-06'],
  ['http://json-schema.org/draft-07/schema', 'draft-07'],
  ['https://json-schema.org/draft/2019-09/schema', '2019-09'],
  ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
  // Names that mean the newest draft, or that people write for it.
  ['http://json-schema.org/schema', '2020-12'],
  ['https://json-schema.org/schema', '2020-12'],
]);

const vocabularies = new Set(
  ['core', 'applicator', 'unevaluated', 'validation', 'meta-data', 'format', 'format-annotation', 'format-assertion']
    .concat('content')
    .flatMap((name) => [
      `https://json-schema.org/draft/2019-09/vocab/${name}`,
      `https://json-schema.org/draft/2020-12/vocab/${name}`,
    ]),
);

/**
 * Reads the option of a caller: `'draft-07'`, also `7`, `draft7`, `draft-2020-12` and the like. Throws `invalid_input`.
 */
export function getDialect(draft: string | undefined): Dialect {
  if (draft === undefined) return tool;
  const bare = draft.replace(/^draft-?0?/, '');
  const found = byDraft.get(bare) ?? byDraft.get(`draft-0${bare}`);
  if (found) return found;
  throw new HelveError('invalid_input', `JSON Schema draft ${JSON.stringify(draft).slice(0, 60)} is not supported`, {
    hint: `Name one of ${drafts.join(', ')}, or leave it out.`,
  });
}

/** Reads a `$schema`. Throws `invalid_input` if it is neither a draft nor found among the remotes. */
export function getDraft(uri: string, find: (uri: string) => unknown, fallback: Dialect, depth = 0): Dialect {
  const bare = uri.replace(/#$/, '');
  const known =
    bySchema.get(bare) ??
    bySchema.get(bare.replace(/^https:\/\/json-schema\.org\/draft-/, 'http://json-schema.org/draft-'));
  if (known) return byDraft.get(known) ?? fallback;
  const metaschema = find(bare);
  if (!isPlainObject(metaschema) || depth > 8) throw unknownSchema(uri);
  const base =
    typeof metaschema.$schema === 'string' && metaschema.$schema !== uri
      ? getDraft(metaschema.$schema, find, fallback, depth + 1)
      : fallback;
  return withVocabularies(base, metaschema.$vocabulary, uri);
}

function withVocabularies(base: Dialect, declared: unknown, uri: string): Dialect {
  if (!isPlainObject(declared) || base.year < 2019) return base;
  for (const [name, required] of Object.entries(declared)) {
    if (required === true && !vocabularies.has(name)) {
      throw new HelveError(
        'invalid_input',
        `$schema ${shown(uri)} requires the vocabulary ${shown(name)}, which is unknown`,
        {
          hint: 'Use the vocabularies of 2019-09 or 2020-12.',
        },
      );
    }
  }
  const has = (name: string): boolean =>
    Object.hasOwn(declared, `https://json-schema.org/draft/${base.draft}/vocab/${name}`);
  const formatAssertion =
    has('format-assertion') || declared['https://json-schema.org/draft/2019-09/vocab/format'] === true;
  return { ...base, validation: has('validation'), formatAssertion };
}

const shown = (text: string): string => JSON.stringify(text.slice(0, 200));

function unknownSchema(uri: string): HelveError {
  return new HelveError('invalid_input', `$schema at / is ${shown(uri)}, which is unknown`, {
    hint: `Leave $schema out, name one of ${drafts.join(', ')}, or pass the metaschema as a remote.`,
    details: { keyword: '$schema', pointer: '/$schema' },
  });
}
