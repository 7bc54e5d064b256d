/**
 * The library in an eXist-db. The limits of an agent are enforced here and not left to the server: the embedded
 * engine's parser reads a query first; it may call only functions of the standard and `ft:`, and may name only allowed
 * documents and collections. Our own queries also get their values as variables.
 */
import { HelveError } from '../../../domain/errors.js';
import { queryWorker, type SearchResult } from '../engine/index.js';
import type { LibrarianContext, Library } from '../library.js';
import { checkAllowed, checkCollection, normalisePath } from '../paths.js';
import type { LibrarianSettings } from '../shapes.js';
import { createRestClient } from './rest-client.js';

const mostItems = 1_000;
const root = '/db';

const listQuery = `declare variable $collection external;
for $document in collection($collection) let $path := document-uri(root($document))
order by $path return string($path)`;

/** Used if the operator's server has no index: finds documents with all the words; more matches rank higher. */
const searchQuery = `declare variable $collection external; declare variable $words external;
for $document in collection($collection)
let $text := lower-case(normalize-space(string-join($document//text(), ' ')))
let $found := for $word in $words return count(tokenize($text, $word, 'q')) - 1
where every $count in $found satisfies $count > 0
order by sum($found) div (string-length($text) + 200) descending
return string-join((string(document-uri(root($document))), string(sum($found) div (string-length($text) + 200) * 1000),
  substring($text, max((1, string-length(substring-before($text, $words[1])) - 60)), 200)), '&#10;')`;

export function openExist(context: LibrarianContext, settings: NonNullable<LibrarianSettings['exist']>): Library {
  const { config, signal, caller, workers } = context;
  const limits = { allowed: config.allowed_collections };
  const place = {
    key: caller.workspaceId,
    heapMb: config.memory_mb,
    signal,
    timeoutMs: config.query_timeout_seconds * 1_000,
  };
  const rest = createRestClient(context, settings);
  const run = async (
    query: string,
    collection: string,
    variables: Parameters<Library['query']>[2],
    most = mostItems,
  ) => {
    const answer = await rest.query(collection, query, variables, most);
    return workers.ask(queryWorker, { ...place, call: 'unwrap', message: answer });
  };
  const isDocument = async (path: string): Promise<boolean> => {
    const { items } = await run('declare variable $path external; doc-available($path)', root, { path }, 1);
    return items[0] === 'true';
  };

  return {
    async store(path, content) {
      await workers.ask(queryWorker, { ...place, call: 'check', message: { content, maxDepth: 256 } });
      await rest.put(inDatabase(path), content);
    },
    // Only for a document: for a collection eXist would return a listing, and for a stored query its result.
    get: async (path) => ((await isDocument(inDatabase(path))) ? rest.get(path) : undefined),
    async delete(path) {
      // For a collection, eXist would delete everything in it.
      if (!(await isDocument(inDatabase(path)))) return false;
      await rest.delete(path);
      return true;
    },
    async list(collection, limit) {
      const within = oneCollection(limits.allowed, collection);
      const { items, hits } = await run(listQuery, root, { collection: within }, limit);
      return { documents: items.map((path) => ({ path })), truncated: hits > items.length };
    },
    async query(query, collection, variables) {
      const within = oneCollection(limits.allowed, collection);
      const names = await workers.ask(queryWorker, { ...place, call: 'review', message: query });
      for (const { kind, path } of names) {
        if (kind === 'doc') checkAllowed(limits, normalisePath(path, 'document'));
        else checkNamed(limits.allowed, normalisePath(path));
      }
      const { items, hits } = await run(query, within, variables);
      return { results: items, dropped: Math.max(0, hits - items.length) };
    },
    async search(query, collection, most) {
      const within = oneCollection(limits.allowed, collection);
      const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
      if (words.length === 0) return [];
      const { items } = await run(searchQuery, root, { collection: within, words }, most);
      return items.map(toResult);
    },
  };
}

function toResult(item: string): SearchResult {
  const [path = '', score = '0', snippet = ''] = item.split('\n');
  return { path, score: Math.round(Number(score) * 10_000) / 10_000, snippet };
}

function inDatabase(path: string): string {
  if (path.startsWith(`${root}/`)) return path;
  throw new HelveError('invalid_input', `${path} is not below /db`, { hint: 'Begin the collection with /db.' });
}

/** eXist runs a query in one collection, so one collection must contain everything that the agent may see. */
function oneCollection(allowed: readonly string[] | undefined, collection: string | undefined): string {
  if (allowed?.some((entry) => entry.includes('*'))) {
    throw new HelveError('invalid_config', 'allowed_collections of librarian tools cannot hold patterns with eXist', {
      hint: 'Ask the operator to name whole collections.',
    });
  }
  const [only] = allowed ?? [root];
  if (collection === undefined && allowed !== undefined && allowed.length > 1) {
    const problem = 'Several collections are allowed; with eXist a call looks into one';
    throw new HelveError('invalid_input', problem, { hint: `Set collection to one of: ${allowed.join(', ')}` });
  }
  const within = inDatabase(`${collection ?? normalisePath(only ?? root)}/`).slice(0, -1);
  checkNamed(allowed, within);
  return within;
}

/** This collection is read as a whole, so it must lie inside an allowed one; one that is only listed need not. */
function checkNamed(allowed: readonly string[] | undefined, collection: string): void {
  checkCollection({ allowed }, collection);
  checkAllowed({ allowed }, `${collection}/*`);
}
