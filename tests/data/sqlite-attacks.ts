/**
 * SQL that would reach outside its database in an unconfined SQLite. `${folder}` contains the database `shop.db` and, in
 * `outside/`, the file `secret` with the words PLANTED-SECRET; `effect` says what success looks like.
 */
export interface SqliteAttack {
  readonly title: string;
  readonly sql: (folder: string) => string;
  /** `read`: the answer contains the secret, or the name of its file. `write`: a file of the host is new or changed. `change`: the database is. `memory`: more than 600 MB. */
  readonly effect: 'read' | 'write' | 'change' | 'memory';
  /** Whether it needs a connection that may write. */
  readonly writes?: true;
}

export const plantedSecret = 'PLANTED-SECRET';

export const sqliteAttacks: readonly SqliteAttack[] = [
  { title: 'readfile', effect: 'read', sql: (folder) => `select cast(readfile('${folder}/outside/secret') as text)` },
  { title: 'readfile as a blob', effect: 'read', sql: (folder) => `select readfile('${folder}/outside/secret')` },
  {
    title: 'readfile in capitals and a comment',
    effect: 'read',
    sql: (folder) => `select hex(READFILE/**/('${folder}/outside/secret'))`,
  },
  {
    title: 'readfile as a quoted name',
    effect: 'read',
    sql: (folder) => `select "readfile"('${folder}/outside/secret')`,
  },
  {
    title: 'readfile in a condition',
    effect: 'read',
    sql: (folder) =>
      `select name from bees where 'PLANTED-SECRET' = trim(cast(readfile('${folder}/outside/secret') as text), char(10)) union select 'PLANTED-SECRET' where length(readfile('${folder}/outside/secret')) > 0`,
  },
  {
    title: 'readfile in a window',
    effect: 'read',
    sql: (folder) =>
      `with x as (select readfile('${folder}/outside/secret') f) select max(cast(f as text)) over () from x`,
  },
  {
    title: 'fsdir as a function',
    effect: 'read',
    sql: (folder) => `select name, data from fsdir('${folder}/outside')`,
  },
  {
    title: 'fsdir as a table',
    effect: 'read',
    sql: (folder) => `select name from FSDIR where path = '${folder}/outside'`,
  },
  {
    title: 'fsdir as a string',
    effect: 'read',
    sql: (folder) => `select name from 'fsdir' where path = '${folder}/outside'`,
  },
  {
    title: 'fsdir in brackets under another name',
    effect: 'read',
    sql: (folder) => `select x.name from [fsdir] as x where x.path = '${folder}/outside'`,
  },
  {
    title: 'writefile',
    effect: 'write',
    sql: (folder) => `select writefile('${folder}/outside/helve.yaml', 'mcp_servers: {}')`,
  },
  {
    title: 'writefile after a statement that explains',
    effect: 'write',
    sql: (folder) => `with a as materialized (select writefile('${folder}/outside/helve.yaml', 'x') n) select n from a`,
  },
  { title: 'attach', effect: 'write', writes: true, sql: (folder) => `attach '${folder}/outside/evil.db' as evil` },
  {
    title: 'attach after a comment',
    effect: 'write',
    writes: true,
    sql: (folder) => `/* */ attach '${folder}/outside/evil.db' as evil`,
  },
  {
    title: 'attach after a line of comment',
    effect: 'write',
    writes: true,
    sql: (folder) => `-- hello\nattach '${folder}/outside/evil.db' as evil`,
  },
  {
    title: 'attach after a semicolon',
    effect: 'write',
    writes: true,
    sql: (folder) => `; attach '${folder}/outside/evil.db' as evil`,
  },
  { title: 'vacuum into', effect: 'write', sql: (folder) => `vacuum into '${folder}/outside/copy.db'` },
  {
    title: 'vacuum into after a comment',
    effect: 'write',
    writes: true,
    sql: (folder) => `/**/vacuum into '${folder}/outside/copy.db'`,
  },
  {
    title: 'vacuum into after a semicolon',
    effect: 'write',
    writes: true,
    sql: (folder) => `;;vacuum into '${folder}/outside/copy.db'`,
  },
  { title: 'pragma after a comment', effect: 'change', writes: true, sql: () => '/**/pragma user_version = 7' },
  { title: 'pragma after a semicolon', effect: 'change', writes: true, sql: () => ';pragma user_version = 7' },
  {
    title: 'a trigger',
    effect: 'change',
    writes: true,
    sql: () => 'create trigger evil after insert on bees begin delete from bees; end',
  },
  { title: 'a schema written by hand', effect: 'change', writes: true, sql: () => 'pragma writable_schema = 1' },
  { title: 'a page read by number', effect: 'read', sql: () => `select 'PLANTED-SECRET' from sqlite_dbpage limit 1` },
  { title: 'a large blob', effect: 'memory', sql: () => 'select length(randomblob(910000000))' },
  {
    title: 'a large text',
    effect: 'memory',
    sql: () => "select length(replace(hex(zeroblob(400000000)), '00', 'ab'))",
  },
];
