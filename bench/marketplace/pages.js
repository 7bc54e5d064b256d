// The marketplace over HTTP, in a separate process: `node pages.js helve|hand <composio> <folder>`. Prints its address and a
// token. `hand`: a bare node:http route that reads the same rows of the same file with SQL (`/page`), and one that asks
// Composio each time (`/live`).
import { createServer } from 'node:http';
import { join } from 'node:path';
import Libsql from 'libsql';

const root = new URL(process.env.HELVE_DIST ?? '../../dist/', import.meta.url);
const [, , who, address, folder] = process.argv;
await (who === 'helve' ? helve() : hand());

async function helve() {
  let statements = 0;
  countStatements(() => {
    statements += 1;
  });
  const { createHelve } = await import(new URL('helve.js', root));
  const { createHttpApp, listen } = await import(new URL('surfaces/http/index.js', root));
  const config = `composio:\n  api_key: ak_test\n  base_url: ${address}\n`;
  let plane;
  let app;
  const listening = await listen({ host: '127.0.0.1', port: 0, fetch: (request, more) => app.fetch(request, more) });
  plane = await createHelve({
    dataDir: folder,
    config,
    publicUrl: listening.url,
    limits: { perIp: null, perPrincipal: null, perTool: null },
  });
  app = createHttpApp({ plane: plane.plane, publicUrl: listening.url });
  const { workspaceId } = await plane.ensureWorkspace('default');
  const { principal } = await plane.plane.redeemAdminLink(await plane.adminLink(workspaceId));
  const { secret } = await plane.plane.createApiKey(principal, { name: 'bench', permissions: ['tools:read'] });
  const { job } = await plane.plane.synchronise(principal, { kind: 'full' });
  for await (const _ of plane.plane.followSync(principal, job.id, new AbortController().signal));
  process.on('message', (word) => word === 'statements' && process.send(statements));
  process.send({ url: listening.url, token: secret });
}

/** Counts every statement that is run, whichever code prepared it. */
function countStatements(note) {
  const probe = new Libsql(':memory:');
  const prototype = Object.getPrototypeOf(probe.prepare('select 1'));
  for (const name of ['all', 'run', 'get']) {
    const before = prototype[name];
    prototype[name] = function (...given) {
      note();
      return before.apply(this, given);
    };
  }
  probe.close();
}

async function hand() {
  const database = new Libsql(join(folder, 'helve.db'), { readonly: true });
  const where = `source = 'composio' and (? = '' or lower(name || char(10) || slug || char(10) || description || char(10) || categories) like ?)`;
  const rows =
    database.prepare(`select slug, name, description, logo, url, categories, auth_schemes, no_auth, deprecated,
    version, updated_at, action_count, trigger_count from catalogue_apps where ${where} order by lower(name), slug limit 50`);
  const counts = database.prepare(`select value as name, count(*) as n from catalogue_apps, json_each(categories)
    where ${where} group by value`);
  const totals = database.prepare(`select count(*) as n from catalogue_apps where ${where}`);
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://127.0.0.1');
    const search = (searchParams.get('search') ?? '').toLowerCase();
    const answer = (page) => {
      const text = JSON.stringify(page);
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
        .end(text);
    };
    if (pathname === '/live') void live(search).then(answer);
    else if (pathname === '/live-each') void live(search).then(withActions).then(answer);
    else answer(kept(search));
  });
  const kept = (search) => {
    const given = [search, `%${search}%`];
    const apps = rows.all(given).map(({ categories, auth_schemes, no_auth, deprecated, ...row }) => ({
      ...row,
      categories: JSON.parse(categories),
      authSchemes: JSON.parse(auth_schemes),
      noAuth: no_auth === 1,
      deprecated: deprecated === 1,
      provider: 'composio',
      status: 'available',
      connections: [],
    }));
    const total = totals.all(given)[0].n;
    const categories = Object.fromEntries(counts.all(given).map(({ name, n }) => [name, n]));
    return { apps, total, counts: { categories, providers: { composio: total }, statuses: { available: total } } };
  };
  const live = async (search) => {
    const items = [];
    for (let cursor = ''; cursor !== null; ) {
      const url = `${address}/api/v3.1/toolkits?limit=1000${cursor && `&cursor=${cursor}`}`;
      const page = await (await fetch(url, { headers: { 'x-api-key': 'ak_test' } })).json();
      items.push(...page.items);
      cursor = page.next_cursor;
    }
    const found = items.filter(({ name, slug, meta }) =>
      `${name}\n${slug}\n${meta.description}`.toLowerCase().includes(search),
    );
    found.sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
    const categories = {};
    for (const { meta } of found)
      for (const { name } of meta.categories) categories[name] = (categories[name] ?? 0) + 1;
    return { apps: found.slice(0, 50), total: found.length, counts: { categories } };
  };
  // As before there was a cache: one request for the actions of each app on the page.
  const withActions = async (page) => {
    const apps = await Promise.all(
      page.apps.map(async (app) => {
        const url = `${address}/api/v3.1/tools?toolkit_slug=${app.slug}&limit=1000`;
        const { items } = await (await fetch(url, { headers: { 'x-api-key': 'ak_test' } })).json();
        return { ...app, actionCount: items.length };
      }),
    );
    return { ...page, apps };
  };
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.send({ url: `http://127.0.0.1:${server.address().port}` });
}
