/** With random schemas and values: the declarations judge a literal as a third-party validator does. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { printTypeScript } from './index.js';
import { assignment, compile } from './tests/compile.js';
import { randomSchema } from './tests/schemas.js';
import { createRandom, generate, mutate, seenByCompiler, withoutNullable } from './tests/values.js';

const schemas = 60;
const rounds = 12;

describe('R-typedefs: generated schemas', () => {
  it('R-typedefs: valid literals are accepted, and invalid ones refused wherever a type can express it', {
    timeout: 60_000,
  }, () => {
    const random = createRandom(20_261_122);
    const lines: string[] = [];
    const cases: { line: number; schema: number; valid: boolean; value: unknown }[] = [];
    const all = Array.from({ length: schemas }, () => randomSchema(random));
    all.forEach((schema, index) => {
      lines.push(...printTypeScript(`Made${index}`, schema).split('\n'));
    });
    const before = lines.length;
    all.forEach((schema, index) => {
      const truth = validatorOf(withoutNullable(schema));
      const seen = validatorOf(seenByCompiler(withoutNullable(schema)));
      for (let round = 0; round < rounds; round += 1) {
        const value = generate(schema, schema, random);
        for (const candidate of [value, mutate(value, random), mutate(value, random)]) {
          const valid = truth(candidate);
          if (valid === undefined || (!valid && seen(candidate) !== false)) continue;
          lines.push(assignment(cases.length, `Made${index}`, candidate));
          cases.push({ line: lines.length, schema: index, valid, value: candidate });
        }
      }
    });
    const problems = compile(lines.join('\n'));
    expect([...problems].filter(([line]) => line <= before).slice(0, 5)).toEqual([]);
    const refused = cases.filter(({ valid, line }) => valid && problems.has(line));
    const missed = cases.filter(({ valid, line }) => !valid && !problems.has(line));
    const valid = cases.filter((entry) => entry.valid).length;
    expect(valid).toBeGreaterThan(700);
    expect(cases.length - valid).toBeGreaterThan(700);
    expect(refused.slice(0, 3)).toEqual([]);
    expect(missed.slice(0, 3)).toEqual([]);
  });
});

/** Undefined if the validator itself fails: it compares lists by a `toString` that a value may define itself. */
function validatorOf(schema: unknown): (value: unknown) => boolean | undefined {
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    logger: false,
    validateSchema: false,
    ownProperties: true,
  });
  const validate = ajv.compile(schema as object) as (value: unknown) => boolean;
  return (value) => {
    try {
      return validate(value);
    } catch {
      return undefined;
    }
  };
}
