// The bundled tools and the written requests for them.
import { readFileSync } from 'node:fs';
import { dist } from './reranker/dist.js';

/** Toolkits that represent kept-out apps, and the meta-tools, which are never found. */
const notBundled = new Set([
  'discovery',
  'google_gmail',
  'google_workspace',
  'github',
  'linear',
  'slack',
  'stripe',
  'telegram',
]);

/** `{ text, relevant }`. */
export const bundledRequests = readFileSync(new URL('bundled.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split(' | '))
  .map(([text, ids]) => ({ text, relevant: ids.split(',') }));

/** The tools, as `{ id, toolkit, title, name, description, searchWords, parameters }`. */
export async function readBundledTools() {
  const { nativeToolkits } = await import(new URL('toolkits/index.js', dist));
  const loaded = await Promise.all(
    nativeToolkits
      .filter(({ slug }) => !notBundled.has(slug))
      .map(async ({ slug, title, load }) => ({ slug, title, tools: await load() })),
  );
  return loaded.flatMap(({ slug, title, tools: own }) =>
    own.map(({ name, description, searchWords, inputSchema }) => ({
      id: `${slug}/${name}`,
      toolkit: slug,
      title,
      name,
      description,
      searchWords,
      parameters: Object.keys(inputSchema.shape ?? {}),
    })),
  );
}

/**
 * As pairs for the word vectors: one of each request and right tool. `isEnglish` leaves out other languages and typing
 * errors.
 */
export function pairsOfBundled(tools, isEnglish) {
  const byId = new Map(tools.map((tool) => [tool.id, tool]));
  return bundledRequests
    .filter(({ text }) => isEnglish(text))
    .flatMap(({ text, relevant }) => relevant.flatMap((id) => byId.get(id) ?? []).map((tool) => pairOf(tool, text)));
}

const pairOf = ({ toolkit, name, description, searchWords = '', parameters }, summary) => ({
  source: 'bundled',
  api: `bundled.${toolkit}`,
  name,
  summary,
  description: `${description} ${searchWords}`,
  parameters,
});
