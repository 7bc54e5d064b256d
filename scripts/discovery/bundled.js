// The bundled tools and the written requests for them.
import { readFileSync } from 'node:fs';
import { dist } from './reranker/dist.js';

/** Toolkits that need an account of an app. These apps are kept out of all other training. */
const integrations = new Set(['google_gmail', 'google_workspace', 'github', 'linear', 'slack', 'stripe', 'telegram']);
/** The others are bundled, but the meta-tools, which are never found. */
const isBundled = (slug) => slug !== 'discovery' && !integrations.has(slug);

const requestsOf = (name) =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' | '))
    .map(([text, ids]) => ({ text, relevant: ids.split(',') }));

/** `{ text, relevant }`. */
export const bundledRequests = requestsOf('bundled.txt');
/** The same for the integrations. Nothing but what people say when they want these tools is learned from them. */
export const integrationRequests = requestsOf('integrations.txt');

/** The tools, as `{ id, toolkit, title, name, description, searchWords, parameters }`. */
export async function readBundledTools() {
  const { nativeToolkits } = await import(new URL('toolkits/index.js', dist));
  const loaded = await Promise.all(
    nativeToolkits
      .filter(({ slug }) => isBundled(slug))
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
