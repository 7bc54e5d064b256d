// Two full synchronisations in this process: `node sync.js helve|hand <composio> <folder>`. Prints the CPU of each in
// milliseconds. By hand: every page is fetched, parsed, and written in one commit, with one multi-row upsert per hundred rows.
import { join } from 'node:path';
import Libsql from 'libsql';

const root = new URL(process.env.HELVE_DIST ?? '../../dist/', import.meta.url);
const [, , who, address, folder] = process.argv;
const measured = async (work) => {
  const from = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1_000;
};

const { again, close } = who === 'helve' ? await helve() : hand();
const first = await measured(again);
console.log(JSON.stringify([first, await measured(again)]));
await close();

async function helve() {
  const { createHelve } = await import(new URL('helve.js', root));
  const config = `composio:\n  api_key: ak_test\n  base_url: ${address}\n`;
  const plane = await createHelve({ dataDir: folder, config });
  const { workspaceId } = await plane.ensureWorkspace('default');
  const { principal } = await plane.plane.redeemAdminLink(await plane.adminLink(workspaceId));
  return {
    async again() {
      const { job } = await plane.plane.synchronise(principal, { kind: 'full' });
      let last = job;
      for await (const state of plane.plane.followSync(principal, job.id, new AbortController().signal)) last = state;
      if (last.status !== 'done') throw new Error(JSON.stringify(last));
    },
    close: () => plane.close(),
  };
}

function hand() {
  const database = new Libsql(join(folder, 'hand.db'));
  database.exec('pragma journal_mode = wal; pragma synchronous = full');
  const text = JSON.stringify;
  const tables = {
    '/toolkits': {
      name: 'apps',
      columns: [
        'slug',
        'name',
        'description',
        'logo',
        'url',
        'categories',
        'schemes',
        'managed',
        'version',
        'tools',
        'triggers',
      ],
      values: ({ slug, name, meta, auth_schemes, composio_managed_auth_schemes }) => [
        slug,
        name,
        meta.description,
        meta.logo,
        meta.app_url,
        text(meta.categories),
        text(auth_schemes),
        text(composio_managed_auth_schemes),
        meta.version,
        meta.tools_count,
        meta.triggers_count,
      ],
    },
    '/tools': {
      name: 'actions',
      columns: ['slug', 'app', 'title', 'description', 'tags', 'scopes', 'version', 'input', 'output'],
      index: 'app',
      values: ({ slug, toolkit, name, description, tags, scopes, version, input_parameters, output_parameters }) => [
        slug,
        toolkit.slug,
        name,
        description,
        text(tags),
        text(scopes),
        version,
        text(input_parameters),
        text(output_parameters),
      ],
    },
    '/triggers_types': {
      name: 'triggers',
      columns: ['slug', 'app', 'name', 'description', 'type', 'config', 'payload'],
      index: 'app',
      values: ({ slug, toolkit, name, description, type, config, payload }) => [
        slug,
        toolkit.slug,
        name,
        description,
        type,
        text(config),
        text(payload),
      ],
    },
  };
  for (const { name, columns, index } of Object.values(tables)) {
    database.exec(`create table ${name} (${columns.join(' text, ')} text, primary key (slug))`);
    if (index) database.exec(`create index ${name}_${index} on ${name} (${index})`);
  }
  const statements = new Map();
  const statementOf = ({ name, columns }, rows) => {
    const key = `${name} ${rows}`;
    if (!statements.has(key)) {
      const row = `(${columns.map(() => '?').join(', ')})`;
      const others = columns.slice(1).map((column) => `${column} = excluded.${column}`);
      const sql = `insert into ${name} (${columns.join(', ')}) values ${Array(rows).fill(row).join(', ')}
        on conflict (slug) do update set ${others.join(', ')}`;
      statements.set(key, database.prepare(sql));
    }
    return statements.get(key);
  };
  return {
    async again() {
      const listed = {};
      for (const route of Object.keys(tables)) {
        listed[route] = [];
        for (let cursor = ''; cursor !== null; ) {
          const url = `${address}/api/v3.1${route}?limit=1000${cursor && `&cursor=${cursor}`}`;
          const page = await (await fetch(url, { headers: { 'x-api-key': 'ak_test' } })).json();
          listed[route].push(...page.items);
          cursor = page.next_cursor;
        }
      }
      database.exec('begin immediate');
      for (const [route, table] of Object.entries(tables))
        for (let start = 0; start < listed[route].length; start += 100) {
          const some = listed[route].slice(start, start + 100);
          statementOf(table, some.length).run(some.flatMap(table.values));
        }
      database.exec('commit');
    },
    close: () => database.close(),
  };
}
