// The marketplace compared with code written by hand: a page over HTTP, and the CPU of a full synchronisation. With all data
// of ../shared/data; interleaved, medians, only ratios. `node bench/marketplace/run.js [rounds] [requests a round]`
import { fork, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const data = new URL('../../../shared/data/discovery/composio/tools.jsonl', import.meta.url);
if (!existsSync(data)) {
  console.log('skipped: there is no ../shared/data');
  process.exit(0);
}
const [, , rounds = '7', requests = '150'] = process.argv;
const file = (name) => fileURLToPath(new URL(name, import.meta.url));
const folders = [];
const folder = async () => {
  const made = await mkdtemp(join(tmpdir(), 'helve-bench-market-'));
  folders.push(made);
  return made;
};
const children = [];
const serve = (name, ...args) =>
  new Promise((resolve, reject) => {
    const child = fork(file(name), args);
    children.push(child);
    child.once('message', (said) => resolve({ child, said }));
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)));
  });
const asked = (child, word) =>
  new Promise((resolve) => {
    child.once('message', resolve);
    child.send(word);
  });
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const spread = (values) => `${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)}`;
const ratios = (label, values, bar) =>
  console.log(`${label}: ${median(values).toFixed(2)} (${spread(values)}; bar ${bar})`);

const { child: composioChild, said: composio } = await serve('composio.js');

// A: pages.
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const get = (url, token) =>
  new Promise((resolve, reject) => {
    const headers = token ? { authorization: `Bearer ${token}` } : {};
    request(url, { agent, headers }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks).toString()));
    })
      .on('error', reject)
      .end();
  });
const p50 = async (url, token, times) => {
  const took = [];
  for (let n = 0; n < times; n++) {
    const from = performance.now();
    await get(url, token);
    took.push(performance.now() - from);
  }
  return median(took);
};
const place = await folder();
const helve = await serve('pages.js', 'helve', composio, place);
const hand = await serve('pages.js', 'hand', composio, place);
const { url, token } = helve.said;
for (const [label, query] of [
  ['all', 'provider=composio&limit=50'],
  ['a search', 'provider=composio&limit=50&search=data'],
]) {
  const page = `${url}/api/tools/marketplace?${query}`;
  const search = new URLSearchParams(query).get('search') ?? '';
  const bare = `${hand.said.url}/page?search=${search}`;
  const live = `${hand.said.url}/live?search=${search}`;
  const [ours, theirs] = [JSON.parse(await get(page, token)), JSON.parse(await get(bare))];
  for (let n = 0; n < 300; n++) await Promise.all([get(page, token), get(bare)]);
  await p50(live, undefined, 10);
  console.log(`\n${label}: ${ours.apps.length} of ${ours.total} (by hand ${theirs.total})`);
  const statements = [];
  const callsBefore = await asked(composioChild, 'calls');
  for (let n = 0; n < 9; n++) {
    const before = await asked(helve.child, 'statements');
    await get(page, token);
    statements.push((await asked(helve.child, 'statements')) - before);
  }
  console.log(
    `statements a page: ${median(statements)} (bar 2); requests to Composio: ${(await asked(composioChild, 'calls')) - callsBefore} (bar 0)`,
  );
  const toBare = [];
  const toLive = [];
  for (let round = 0; round < Number(rounds); round++) {
    const own = await p50(page, token, Number(requests));
    toBare.push(own / (await p50(bare, undefined, Number(requests))));
    toLive.push((await p50(live, undefined, Math.ceil(Number(requests) / 10))) / own);
  }
  ratios('p50 over the bare route', toBare, '≤ 3');
  ratios('live over ours, Composio on loopback, two requests', toLive, '≥ 40');
  const toEach = [];
  for (let round = 0; round < Number(rounds); round++)
    toEach.push(
      (await p50(live.replace('/live', '/live-each'), undefined, 9)) / (await p50(page, token, Number(requests))),
    );
  ratios('live over ours, Composio on loopback, a request for each app of the page too', toEach, '≥ 40');
  // The distance of a typical server: 50 ms until the answer, for each of the two requests.
  composioChild.send(50);
  const far = [];
  for (let round = 0; round < Number(rounds); round++)
    far.push((await p50(live, undefined, 9)) / (await p50(page, token, Number(requests))));
  composioChild.send(0);
  ratios('live over ours, Composio 50 ms away', far, '≥ 40');
}
for (const { child } of [helve, hand]) child.kill();

// B: a full synchronisation.
const cpu = (who, where) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file('sync.js'), who, composio, where], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    child.once('close', (code) =>
      code === 0 ? resolve(JSON.parse(text)) : reject(new Error(`${who} ended with ${code}`)),
    );
  });
const firsts = [];
const seconds = [];
for (let round = 0; round < Number(rounds); round++) {
  const [ours, theirs] = [await cpu('helve', await folder()), await cpu('hand', await folder())];
  firsts.push(ours[0] / theirs[0]);
  seconds.push(ours[1] / theirs[1]);
}
console.log('\nCPU of a full synchronisation over fetch, parse and bulk upsert by hand');
ratios('into an empty store', firsts, '≤ 2');
ratios('over what is there', seconds, '≤ 2');
for (const child of children) child.kill();
await Promise.all(folders.map((made) => rm(made, { recursive: true, force: true })));
process.exit(0);
