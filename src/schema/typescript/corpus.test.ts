/**
 * With real schemas: the declarations compile, contain every description, stay small, and judge values as a validator
 * does.
 */
import { existsSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { isPlainObject } from '../../util/canonical.js';
import { escapeComment } from './docs.js';
import { printFunctions, printTypeScript } from './index.js';
import { assignment, compile } from './tests/compile.js';
import { createRandom, generate, mutate, seenByCompiler, withoutNullable } from './tests/values.js';

const data = new URL('../../../../shared/data/', import.meta.url);

interface Entry {
  readonly set: string;
  readonly id: string;
  readonly schema: Record<string, unknown>;
}

function linesOf(file: string): any[] {
  const url = new URL(file, data);
  if (!existsSync(url)) return [];
  return readFileSync(url, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const corpus: Entry[] = ['composio-in', 'github-openapi'].flatMap((set) =>
  linesOf(`json-schema/${set}.jsonl`).map(({ id, schema }) => ({ set, id, schema })),
);
const toolsFile = new URL('composio-api/tools.json', data);
if (existsSync(toolsFile))
  for (const tool of JSON.parse(readFileSync(toolsFile, 'utf8')))
    corpus.push({ set: 'composio-out', id: tool.slug, schema: tool.output_parameters });
for (const { id, parameters } of linesOf('discovery/composio/tools.jsonl')) {
  if (!isPlainObject(parameters) || Object.keys(parameters).length === 0) continue;
  // Some list their parameters by name, each with its own `required`.
  const flat = Object.values(parameters).every((value) => isPlainObject(value) && typeof value.required === 'boolean');
  if (!flat) continue;
  const properties = Object.fromEntries(
    Object.entries(parameters as Record<string, any>).map(([name, { required: _, ...schema }]) => [name, schema]),
  );
  const required = Object.keys(parameters).filter((name) => (parameters as any)[name].required);
  corpus.push({ set: 'discovery', id, schema: { type: 'object', properties, required } });
}

const maps = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];

function descriptionsOf(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(descriptionsOf);
  if (!isPlainObject(schema)) return [];
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (keyword === 'description' && typeof value === 'string') return [value];
    if (maps.includes(keyword) && isPlainObject(value)) return Object.values(value).flatMap(descriptionsOf);
    return ['default', 'enum', 'const', 'example', 'examples'].includes(keyword) ? [] : descriptionsOf(value);
  });
}

describe.skipIf(corpus.length === 0)('R-typedefs: real schemas (skipped where ../shared/data is absent)', () => {
  const printed = corpus
    .map((entry, index) => ({ ...entry, name: `Tool${index}Input` }))
    .map((entry) => ({ ...entry, text: printTypeScript(entry.name, entry.schema) }));

  it('R-typedefs: every description is in the declarations', () => {
    const missing = printed.flatMap(({ id, schema, text }) =>
      descriptionsOf(schema)
        .filter((words) => !text.includes(escapeComment(words)))
        .map((words) => `${id}: ${words}`),
    );
    expect(missing).toEqual([]);
  });

  it('R-typedefs: each set of declarations is at most 0.8 of its schemas in bytes', () => {
    const sizes = new Map<string, { schema: number; text: number }>();
    for (const { set, schema, text } of printed) {
      const sum = sizes.get(set) ?? { schema: 0, text: 0 };
      sum.schema += Buffer.byteLength(JSON.stringify(schema));
      sum.text += Buffer.byteLength(text);
      sizes.set(set, sum);
    }
    for (const [set, { schema, text }] of sizes) expect(text / schema, set).toBeLessThanOrEqual(0.8);
  });

  it('R-typedefs: declarations compile, accept valid values, and refuse what a compiler can see', {
    timeout: 60_000,
  }, () => {
    const random = createRandom(20_261_122);
    const lines = printed.flatMap(({ text }) => text.split('\n'));
    const cases: { line: number; id: string; valid: boolean; value: unknown }[] = [];
    const before = lines.length;
    for (const { id, set, schema, name } of printed) {
      // Compiling each schema for the validator takes most of the time, so only a share is tested, the same in every
      // run.
      if (random() > (set === 'discovery' ? 0.02 : 0.25)) continue;
      const truth = validatorOf(withoutNullable(schema));
      const seen = validatorOf(seenByCompiler(withoutNullable(schema)));
      for (let round = 0; round < 5; round += 1) {
        const value = generate(schema, schema, random);
        for (const candidate of [value, mutate(value, random), mutate(value, random)]) {
          const valid = truth(candidate);
          if (!valid && seen(candidate)) continue;
          lines.push(assignment(cases.length, name, candidate));
          cases.push({ line: lines.length, id, valid, value: candidate });
        }
      }
    }
    const problems = compile(lines.join('\n'));
    expect([...problems].filter(([line]) => line <= before)).toEqual([]);
    const refused = cases.filter(({ valid, line }) => valid && problems.has(line));
    const missed = cases.filter(({ valid, line }) => !valid && !problems.has(line));
    const count = {
      valid: cases.filter(({ valid }) => valid).length,
      invalid: cases.filter(({ valid }) => !valid).length,
    };
    expect(count.valid).toBeGreaterThan(3_000);
    expect(count.invalid).toBeGreaterThan(3_000);
    expect(refused.length / count.valid).toBeLessThanOrEqual(0.001);
    expect(missed.length / count.invalid).toBeLessThanOrEqual(0.001);
  });

  it('R-typedefs: all tools in one namespace compile, and share equal types', () => {
    const entries = printed
      .filter(({ set }) => set !== 'discovery')
      .map(({ schema }, at) => ({ name: `tool${at}`, input: schema, output: schema }));
    const text = printFunctions(entries);
    expect([...compile(`declare namespace tools {\n${text}\n}`)]).toEqual([]);
    const apart = entries.reduce((sum, { name, input }) => sum + 2 * printTypeScript(name, input).length, 0);
    expect(text.length).toBeLessThan(apart);
  });
});

function validatorOf(schema: unknown): (value: unknown) => boolean {
  const ajv = new Ajv({ strict: false, validateFormats: false, logger: false, validateSchema: false });
  return ajv.compile(schema as object) as (value: unknown) => boolean;
}
