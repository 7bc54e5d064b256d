/**
 * The official test suite, with and without generated code. It is read from `../shared/data`, or else from
 * the folder that HELVE_JSON_SCHEMA_SUITE names. The npm package has no cases, so CI takes the suite from a Debian package.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { mayBeMissing } from '../testing/needs.js';
import { followReferences } from './admission/follow.js';
import { inspect } from './admission/inspect.js';
import { admitSchema } from './admit-schema.js';
import { evaluate } from './evaluate.js';
import { generate } from './generate/index.js';
import { createGraph } from './graph.js';
import { createReferences } from './references.js';
import { createRun, steps } from './run.js';

const suite = [
  fileURLToPath(new URL('../../../shared/data/json-schema/suite/', import.meta.url)),
  `${process.env.HELVE_JSON_SCHEMA_SUITE}/`,
].find((folder) => existsSync(`${folder}tests/draft2020-12`));
const missing = mayBeMissing(suite ? undefined : 'neither ../shared/data nor HELVE_JSON_SCHEMA_SUITE has the suite');

interface Case {
  readonly file: string;
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

const read = (path: string): any => JSON.parse(readFileSync(path, 'utf8'));
const casesIn = (folder: string): Case[] =>
  readdirSync(suite + folder)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => read(`${suite}${folder}/${file}`).map((one: Case) => ({ ...one, file })));

function remotesIn(folder = ''): [string, unknown][] {
  return readdirSync(`${suite}remotes/${folder}`, { withFileTypes: true }).flatMap((entry) => {
    const path = folder + entry.name;
    if (entry.isDirectory()) return remotesIn(`${path}/`);
    return [[`http://localhost:1234/${path}`, read(`${suite}remotes/${path}`)] as [string, unknown]];
  });
}
const remotes = suite ? new Map(remotesIn()) : new Map<string, unknown>();

type Formats = 'assert' | 'annotate';

/** Three ways to the same verdict: the public function, evaluation, and generated code. */
function verdictsOf(schema: unknown, draft: string, formats: Formats, data: readonly unknown[]): boolean[][] {
  const admitted = admitSchema(schema, { draft, remotes, formats });
  const found = { references: false, dynamic: false, values: 0, names: 0, later: new Map() };
  inspect(schema, found);
  const references = createReferences(schema, { draft, remotes });
  followReferences(references, found);
  const graphOf = () => createGraph({ references, formats: formats === 'assert', dynamic: found.dynamic });
  const graph = graphOf();
  const code = generate(graphOf());
  return data.map((value) => [
    admitted.validate(value).ok,
    evaluate(graph, graph.root, value, createRun(steps), undefined, undefined),
    ...(code ? [code(value)] : []),
  ]);
}

function failuresIn(cases: readonly Case[], draft: string, formatsOf: (file: string) => Formats): string[] {
  return cases.flatMap(({ file, description, schema, tests }) => {
    const verdicts = verdictsOf(
      schema,
      draft,
      formatsOf(file),
      tests.map(({ data }) => data),
    );
    return tests
      .filter(({ valid }, index) => verdicts[index]?.some((verdict) => verdict !== valid))
      .map((test) => `${file}: ${description}: ${test.description}`);
  });
}

const folders = [
  ['draft-04', 'draft4'],
  ['draft-06', 'draft6'],
  ['draft-07', 'draft7'],
  ['2019-09', 'draft2019-09'],
  ['2020-12', 'draft2020-12'],
] as const;

describe.skipIf(missing !== undefined)('the official suite (skipped: no HELVE_JSON_SCHEMA_SUITE)', () => {
  it.each(folders)('R-schema: all required cases of %s, with only the draft named', (draft, folder) => {
    const cases = casesIn(`tests/${folder}`);
    expect(cases.length).toBeGreaterThan(100);
    expect(failuresIn(cases, draft, () => 'annotate')).toEqual([]);
  });

  it.each(
    folders,
  )('R-schema: the optional cases of %s, except for what JavaScript cannot distinguish', (draft, folder) => {
    const failures = failuresIn(casesIn(`tests/${folder}/optional`), draft, (file) =>
      ['content.json', 'ecmascript-regex.json'].includes(file) ? 'assert' : 'annotate',
    );
    // 1.0 equals 1 once it is parsed.
    expect(failures.filter((failure) => !failure.startsWith('zeroTerminatedFloats'))).toEqual([]);
  });

  it.each(folders)('R-schema: the formats of %s, asserted on request, except for one', (draft, folder) => {
    const cases = casesIn(`tests/${folder}/optional/format`);
    expect(failuresIn(cases, draft, () => 'assert').length).toBeLessThanOrEqual(1);
  });
});
