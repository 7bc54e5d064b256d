/**
 * The schema kernel compared with its peers, in one run: `node bench/schema/run.js` after `npm run build`.
 *
 * - bind: preparing a catalogue of 12,947 actions to be shown and called (admitted, with the Standard Schema interface),
 *   compared with `z.fromJSONSchema` and `@composio/json-schema-to-zod`: time, and memory that remains in use.
 * - validate: 2,153 real schemas with valid and mutated values, compared with compiled ajv.
 *
 * Each measurement runs several times in its own process, in turns with the others; it prints medians and ratios of medians.
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { actions, hasCorpus, realSchemas } from './corpus.js';
import { createValues } from './values.js';

const self = fileURLToPath(import.meta.url);
const kernel = process.env.HELVE_SCHEMA ?? new URL('../../dist/schema/index.js', import.meta.url).href;
const median = (list) => list.toSorted((left, right) => left - right)[Math.floor(list.length / 2)];

const binders = {
  async helve() {
    const { admitSchema } = await import(kernel);
    return (schema) => {
      const admitted = admitSchema(schema);
      return [admitted, admitted.toStandardSchema()];
    };
  },
  async 'z.fromJSONSchema'() {
    const { z } = await import('zod');
    return (schema) => z.fromJSONSchema(schema);
  },
  async '@composio/json-schema-to-zod'() {
    const { jsonSchemaToZod } = await import('@composio/json-schema-to-zod');
    return (schema) => jsonSchemaToZod(schema);
  },
};

async function bind(name) {
  const make = await binders[name]();
  const schemas = actions().map(({ schema }) => schema);
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  const kept = [];
  let refused = 0;
  const start = process.hrtime.bigint();
  for (const schema of schemas) {
    try {
      kept.push(make(schema));
    } catch {
      refused += 1;
    }
  }
  const milliseconds = Number(process.hrtime.bigint() - start) / 1e6;
  globalThis.gc();
  const megabytes = (process.memoryUsage().heapUsed - before) / 1e6;
  return { milliseconds, megabytes, bound: kept.length, refused, schemas: schemas.length };
}

async function validate() {
  const { admitSchema } = await import(kernel);
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const { default: addFormats } = createRequire(import.meta.url)('ajv-formats');
  const cases = { valid: [], invalid: [] };
  for (const [seed, { schema }] of realSchemas().entries()) {
    const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false });
    addFormats(ajv);
    const { generate, mutate } = createValues(seed);
    const values = Array.from({ length: 8 }, (_, index) => (index % 2 ? mutate(generate(schema)) : generate(schema)));
    try {
      const pair = { ours: admitSchema(schema), theirs: ajv.compile(schema) };
      for (const value of values.filter((one) => one !== undefined)) {
        const ok = pair.theirs(value);
        if (ok === pair.ours.validate(value).ok) cases[ok ? 'valid' : 'invalid'].push({ ...pair, value });
      }
    } catch {
      // Refused by one of the two: nothing to compare.
    }
  }
  const runs = {
    ours: (list) => list.reduce((sum, { ours, value }) => sum + (ours.validate(value).ok ? 1 : 0), 0),
    'ours, issues read': (list) =>
      list.reduce((sum, { ours, value }) => sum + (ours.validate(value).issues?.length ?? 0), 0),
    ajv: (list) => list.reduce((sum, { theirs, value }) => sum + (theirs(value) ? 1 : 0), 0),
  };
  const times = {};
  for (let round = 0; round < 40; round += 1) {
    for (const [kind, list] of Object.entries({ ...cases, all: [...cases.valid, ...cases.invalid] })) {
      for (const [name, run] of Object.entries(runs)) {
        const start = process.hrtime.bigint();
        for (let again = 0; again < 5; again += 1) run(list);
        const nanoseconds = Number(process.hrtime.bigint() - start) / list.length / 5;
        times[kind] ??= {};
        times[kind][name] ??= [];
        if (round >= 10) times[kind][name].push(nanoseconds);
      }
    }
  }
  return Object.fromEntries(
    Object.entries(times).map(([kind, byName]) => {
      const medians = Object.fromEntries(
        Object.entries(byName).map(([name, list]) => [name, Math.round(median(list))]),
      );
      return [
        kind,
        {
          values: (cases[kind] ?? []).length || undefined,
          ...medians,
          ratio: +(medians.ours / medians.ajv).toFixed(2),
        },
      ];
    }),
  );
}

function inProcess(...task) {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--expose-gc', self, ...task], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout.trim().split('\n').at(-1));
}

function report() {
  const results = {};
  for (let round = 0; round < 3; round += 1)
    for (const name of Object.keys(binders)) results[name] = [...(results[name] ?? []), inProcess('bind', name)];
  for (const [name, list] of Object.entries(results)) {
    const own = results.helve;
    const of = (from, key) => median(from.map((one) => one[key]));
    console.log(
      `bind ${name}: ${of(list, 'milliseconds').toFixed(0)} ms (${(of(list, 'milliseconds') / of(own, 'milliseconds')).toFixed(1)}x ours), ` +
        `${of(list, 'megabytes').toFixed(1)} MB (${(of(list, 'megabytes') / of(own, 'megabytes')).toFixed(1)}x ours), ` +
        `${list[0].bound} of ${list[0].schemas} bound`,
    );
  }
  console.log('validate, ns a value:', inProcess('validate'));
}

const [task, name] = process.argv.slice(2);
if (!hasCorpus) console.log('The real schemas are not beside the repository: nothing to measure.');
else if (task === 'bind') console.log(JSON.stringify(await bind(name)));
else if (task === 'validate') console.log(JSON.stringify(await validate()));
else report();
