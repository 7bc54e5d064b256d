/** Real schemas with generated and mutated values: the kernel agrees with three validators wherever these agree. */
import { createRequire } from 'node:module';
import { Validator } from '@cfworker/json-schema';
import { registerSchema, validate } from '@hyperjump/json-schema/draft-2020-12';
import '@hyperjump/json-schema/formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { actions, hasCorpus, realSchemas } from '../../bench/schema/corpus.js';
import { createValues } from '../../bench/schema/values.js';
import { githubOperations } from '../../tests/data/github-operations.js';
import { HelveError } from '../domain/errors.js';
import { admitSchema } from './admit-schema.js';

const addFormats = createRequire(import.meta.url)('ajv-formats').default;
const dialect = 'https://json-schema.org/draft/2020-12/schema';
/** Without ../shared/data, the operations of GitHub that the repository has. */
const schemas: readonly { readonly id: string; readonly schema: any }[] = hasCorpus
  ? realSchemas()
  : githubOperations();
/** A sample of many, so that the file stays fast. */
const [every, valuesOfEach] = hasCorpus ? [12, 8] : [1, 40];

type Verdict = (value: unknown) => boolean;

const orUndefined = <Result>(make: () => Result): Result | undefined => {
  try {
    return make();
  } catch {
    return undefined;
  }
};

async function judgesOf(schema: object, id: string): Promise<Verdict[]> {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false });
  addFormats(ajv);
  const byAjv = orUndefined(() => ajv.compile(schema));
  const byCfworker = new Validator(schema, '2020-12');
  registerSchema(schema as never, id, dialect);
  const byHyperjump = await validate(id).catch(() => undefined);
  if (!byAjv || !byHyperjump) return [];
  return [
    (value) => byAjv(value) === true,
    (value) => byCfworker.validate(value).valid,
    (value) => byHyperjump(value as never).valid,
  ];
}

describe('real schemas', () => {
  it('R-schema: verdicts are those of three validators that agree', async () => {
    const differing: unknown[] = [];
    let agreed = 0;
    for (const [seed, { id, schema }] of schemas.entries()) {
      if (seed % every !== 0) continue;
      const { validate: verdictOn } = admitSchema(schema);
      const judges = await judgesOf(schema, `https://real.test/${seed}`);
      const { generate, mutate } = createValues(seed);
      for (let count = 0; count < valuesOfEach; count += 1) {
        const value = count % 2 ? mutate(generate(schema)) : generate(schema);
        if (value === undefined) continue;
        const verdicts = judges.map((judge) => orUndefined(() => judge(value)));
        const [first] = verdicts;
        if (first === undefined || verdicts.some((verdict) => verdict !== first)) continue;
        agreed += 1;
        const own = verdictOn(value);
        if (own.ok !== first) differing.push({ id, value, first, issues: own.ok ? [] : own.issues });
      }
    }
    expect(differing).toEqual([]);
    expect(agreed).toBeGreaterThan(1_000);
  });

  it('R-schema: every real schema is admitted or refused by name', () => {
    const all = [...schemas, ...(hasCorpus ? actions() : [])];
    const refused = all.filter(({ schema }) => {
      try {
        admitSchema(schema);
        return false;
      } catch (error) {
        expect(error).toBeInstanceOf(HelveError);
        expect((error as HelveError).details).toMatchObject({
          keyword: expect.any(String),
          pointer: expect.any(String),
        });
        return true;
      }
    });
    expect(refused.map(({ id }) => id)).toEqual([]);
  });
});
