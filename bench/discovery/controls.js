// The methods that the index is compared with, on the same texts, each in its usual form: LIKE scans, SQLite FTS5, MiniSearch,
// and BM25F written by hand. Each finds the ten best tools for a text; `toolkits` may narrow the search.
import Database from 'libsql';
import MiniSearch from 'minisearch';
import { bm25fOf } from './bm25f.js';
import { stopWords } from './stop-words.js';

const plain = (text) => text.replace(/[_\-.]+/g, ' ').replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
const wordsOf = (text) => text.match(/[\p{L}\p{N}]+/gu) ?? [];
const documentOf = (tool, at) => ({
  at,
  app: plain(tool.toolkitName ?? tool.toolkit),
  name: plain(tool.name),
  description: tool.description ?? '',
  toolkit: tool.toolkit,
});

export function miniSearchOf(tools) {
  const fields = ['app', 'name', 'description'];
  const index = new MiniSearch({ idField: 'at', fields, searchOptions: { boost: { name: 3, app: 2 } } });
  index.addAll(tools.map(documentOf));
  return (text, { toolkits } = {}) => {
    const allowed = toolkits && new Set(toolkits);
    const options = allowed && { filter: ({ id }) => allowed.has(tools[id].toolkit) };
    const found = index.search(text, options);
    return found.slice(0, 10).map(({ id }) => tools[id].id);
  };
}

const within = 'toolkit IN (SELECT value FROM json_each(?))';
const idsOf = (tools, rows) => rows.map(({ rowid }) => tools[Number(rowid) - 1].id);

export function fts5Of(tools) {
  const database = new Database(':memory:');
  const columns = "app, name, description, toolkit UNINDEXED, tokenize = 'porter unicode61'";
  database.exec(`CREATE VIRTUAL TABLE tools USING fts5(${columns})`);
  const insert = database.prepare('INSERT INTO tools (rowid, app, name, description, toolkit) VALUES (?, ?, ?, ?, ?)');
  database.exec('BEGIN');
  for (const { at, app, name, description, toolkit } of tools.map(documentOf))
    insert.run(at + 1, app, name, description, toolkit);
  database.exec('COMMIT');
  const sql = (where) => `SELECT rowid FROM tools WHERE ${where} ORDER BY bm25(tools, 2, 3, 1) LIMIT 10`;
  const all = database.prepare(sql('tools MATCH ?'));
  const some = database.prepare(sql(`tools MATCH ? AND ${within}`));
  return (text, { toolkits } = {}) => {
    const match = wordsOf(text)
      .map((word) => `"${word}"`)
      .join(' OR ');
    if (match === '') return [];
    return idsOf(tools, toolkits ? some.all(match, JSON.stringify([...toolkits])) : all.all(match));
  };
}

const mostWords = 60;

/**
 * Tools whose text contains the most words of the request; among equals, the shortest comes first. SQLite's LIKE works like
 * PostgreSQL's ILIKE.
 */
const likeIn = (textOf) => (tools) => {
  const database = new Database(':memory:');
  database.exec('CREATE TABLE tools (text TEXT, toolkit TEXT)');
  const insert = database.prepare('INSERT INTO tools (rowid, text, toolkit) VALUES (?, ?, ?)');
  database.exec('BEGIN');
  for (const [at, tool] of tools.entries()) insert.run(at + 1, textOf(tool), tool.toolkit);
  database.exec('COMMIT');
  const statements = new Map();
  const statementOf = (count, isNarrow) => {
    const key = `${count} ${isNarrow}`;
    const sum = Array(count).fill('(text LIKE ?)').join(' + ');
    const where = isNarrow ? `found > 0 AND ${within}` : 'found > 0';
    const sql = `SELECT rowid, ${sum} AS found FROM tools WHERE ${where} ORDER BY found DESC, length(text) LIMIT 10`;
    if (!statements.has(key)) statements.set(key, database.prepare(sql));
    return statements.get(key);
  };
  return (text, { toolkits } = {}) => {
    const words = [...new Set(wordsOf(text.toLowerCase()))].filter((word) => !stopWords.has(word)).slice(0, mostWords);
    if (words.length === 0) return [];
    const given = words.map((word) => `%${word}%`);
    if (toolkits) given.push(JSON.stringify([...toolkits]));
    return idsOf(tools, statementOf(words.length, toolkits !== undefined).all(...given));
  };
};

export const likeOf = likeIn(({ id, description }) => `${id} ${description ?? ''}`);
/** Only in the names: this finds more on real requests, because long descriptions contain almost any word. */
export const likeNamesOf = likeIn(({ id }) => id);

/** All methods, by name. */
export const controls = {
  like: likeOf,
  'like-names': likeNamesOf,
  minisearch: miniSearchOf,
  fts5: fts5Of,
  bm25f: bm25fOf,
};
