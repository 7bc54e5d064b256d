// What the index is measured against: MiniSearch and SQLite FTS5 on the same texts, as one would use them.
import Database from 'libsql';
import MiniSearch from 'minisearch';

const plain = (text) => text.replace(/[_\-.]+/g, ' ').replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
const documentOf = (tool, at) => ({
  at,
  app: plain(tool.toolkitName ?? tool.toolkit),
  name: plain(tool.name),
  description: tool.description ?? '',
});

export function miniSearchOf(tools) {
  const fields = ['app', 'name', 'description'];
  const index = new MiniSearch({ idField: 'at', fields, searchOptions: { boost: { name: 3, app: 2 } } });
  index.addAll(tools.map(documentOf));
  return (text) =>
    index
      .search(text)
      .slice(0, 10)
      .map(({ id }) => tools[id].id);
}

export function fts5Of(tools) {
  const database = new Database(':memory:');
  database.exec("CREATE VIRTUAL TABLE tools USING fts5(app, name, description, tokenize = 'porter unicode61')");
  const insert = database.prepare('INSERT INTO tools (rowid, app, name, description) VALUES (?, ?, ?, ?)');
  database.exec('BEGIN');
  for (const { at, app, name, description } of tools.map(documentOf)) insert.run(at + 1, app, name, description);
  database.exec('COMMIT');
  const find = database.prepare('SELECT rowid FROM tools WHERE tools MATCH ? ORDER BY bm25(tools, 2, 3, 1) LIMIT 10');
  return (text) => {
    const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
    const match = words.map((word) => `"${word}"`).join(' OR ');
    return match === '' ? [] : find.all(match).map(({ rowid }) => tools[Number(rowid) - 1].id);
  };
}
