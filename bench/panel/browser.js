// What the panel costs in a browser: bytes of the first load and of each page, and how soon it answers to a key.
//   node bench/panel/browser.js [calls]
// Budgets: first load 150,000 bytes (gzip) in at most 10 files, a page 30,000; with 100,000 calls, 200 agents, an agent that may
// have 2,000 tools, and, where ../shared/data is, a catalogue of 1,083 apps and 12,947 actions: key to frame p95 100 ms, filter
// to rows p95 400 ms, the editor of grants 700 ms, 3,000 elements.
import { fork } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { fillRecord } from './fill.js';

const root = new URL('../../dist/', import.meta.url);
const [calls = 100_000] = process.argv.slice(2).map(Number);
const { openStorage } = await import(new URL('storage/index.js', root));
const { seal } = await import(new URL('audit/index.js', root));
const { createHelve } = await import(new URL('helve.js', root));
const { createHttpApp, listen } = await import(new URL('surfaces/http/index.js', root));
const { findChromium } = await import(new URL('walls/browser/find.js', root));
const { testTool } = await import(new URL('testing/index.js', root));

reportFiles(fileURLToPath(new URL('panel/', root)));

const folder = mkdtempSync(join(tmpdir(), 'helve-panel-'));
const database = join(folder, 'helve.db');
const limits = { perIp: null, perCredential: null, perPrincipal: null, perTool: null };
const tools = Array.from({ length: 2_000 }, (_, at) =>
  testTool({ name: `operation_${at}`, capabilities: [`get thing${at % 40}`] }),
);
const url = 'http://127.0.0.1:4879';
const composio = existsSync(new URL('../../../shared/data/discovery/composio/tools.jsonl', import.meta.url))
  ? fork(fileURLToPath(new URL('../marketplace/composio.js', import.meta.url)))
  : undefined;
const address = composio && (await new Promise((resolve) => composio.once('message', resolve)));
const config = address && `composio:\n  api_key: ak_test\n  base_url: ${address}\n`;
const helve = await createHelve({ dataDir: folder, database, limits, tools, config, publicUrl: url });
const { workspaceId } = await helve.ensureWorkspace('default');
const storage = await openStorage({ location: database, seal });
await fillRecord({ storage, workspaceId, calls });
await storage.close();
const link = await helve.adminLink(workspaceId);
const { principal: admin } = await helve.plane.redeemAdminLink(link);
if (composio) {
  const { job } = await helve.plane.synchronise(admin, { kind: 'full' });
  for await (const _ of helve.plane.followSync(admin, job.id, new AbortController().signal));
}
for (let at = 0; at < 200; at++) await helve.plane.createAgent(admin, { slug: `agent-${at}` });
const { link: visitLink } = await helve.plane.createUser(admin, { name: 'Bench', role: 'admin' });
const app = createHttpApp({ plane: helve.plane, publicUrl: url, panelFolder: fileURLToPath(new URL('panel/', root)) });
const server = await listen({ fetch: app.fetch, host: '127.0.0.1', port: 4879, graceMs: 0 });
const browser = await chromium.launch({ executablePath: findChromium(process.env.PATH ?? ''), args: ['--no-sandbox'] });
try {
  const page = await browser.newPage();
  await page.goto(visitLink);
  await page.getByRole('button').click();
  await page.waitForURL('**/panel/');
  await page.goto(`${url}/panel/calls`);
  await page.locator('[data-at="0"]').waitFor();
  console.log(`key to frame in the list of calls: ${describe(await pressKeys(page, 60))} (budget p95 100)`);
  console.log(`elements: ${await page.evaluate(() => document.querySelectorAll('*').length)} (budget 3,000)`);
  console.log(`filter to rows: ${describe(await filterRows(page, 12))} (budget p95 400)`);
  await page.goto(`${url}/panel/agents`);
  await page.locator('[data-at="0"]').waitFor();
  console.log(`key to frame in the list of agents: ${describe(await pressKeys(page, 60))} (budget p95 100)`);
  if (composio) await reportCatalogue(page);
  console.log(`the editor of grants of 2,000 tools: ${describe(await openEditor(page, 7))} (budget 700)`);
  console.log(
    `elements of the editor: ${await page.evaluate(() => document.querySelectorAll('*').length)} (budget 3,000)`,
  );
} finally {
  await browser.close();
  await server.close();
  await helve.close();
  composio?.kill();
  rmSync(folder, { recursive: true, force: true });
}

function reportFiles(dist) {
  const index = readFileSync(join(dist, 'index.html'), 'utf8');
  const named = [...index.matchAll(/\/panel\/(assets\/[^"]+)/g)].map(([, name]) => name);
  const language = readdirSync(join(dist, 'assets')).find((name) => /^en-.*\.js$/.test(name));
  const first = ['index.html', ...named, `assets/${language}`];
  const sizeOf = (name) => statSync(join(dist, `${name}.gz`)).size;
  const total = first.reduce((sum, name) => sum + sizeOf(name), 0);
  console.log(`first load: ${total} bytes of gzip in ${first.length} files (budget 150,000 in 10)`);
  const others = readdirSync(join(dist, 'assets')).filter(
    (name) => name.endsWith('.js') && !first.includes(`assets/${name}`),
  );
  const largest = Math.max(...others.map((name) => sizeOf(`assets/${name}`)));
  console.log(`largest file of a page: ${largest} bytes (budget 30,000)`);
}

/** Milliseconds from each press of an arrow to the frame that shows it. */
async function pressKeys(page, count) {
  await page.locator('[data-at="0"]').focus();
  const times = [];
  for (let at = 0; at < count; at++) {
    times.push(
      await page.evaluate(
        () =>
          new Promise((resolve) => {
            const began = performance.now();
            const { activeElement } = document;
            activeElement?.dispatchEvent(
              new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }),
            );
            const look = () =>
              document.activeElement === activeElement
                ? requestAnimationFrame(look)
                : requestAnimationFrame(() => resolve(performance.now() - began));
            requestAnimationFrame(look);
          }),
      ),
    );
  }
  return times;
}

/** Milliseconds from choosing a status to the rows of it. */
async function filterRows(page, count) {
  const times = [];
  for (let at = 0; at < count; at++) {
    const status = at % 2 === 0 ? 'failed' : 'refused';
    times.push(
      await page.evaluate(
        (wanted) =>
          new Promise((resolve) => {
            const button = [...document.querySelectorAll('button')].find(
              (one) =>
                one.innerText.startsWith(wanted) ||
                one.innerText.includes(` ${wanted} `) ||
                one.innerText.split(' ').includes(wanted),
            );
            const began = performance.now();
            button?.click();
            const look = () => {
              const rows = [...document.querySelectorAll('a[data-at]')];
              const isDone =
                location.search.includes(wanted) &&
                rows.length > 0 &&
                rows.every((row) => row.textContent?.includes(wanted));
              if (isDone) requestAnimationFrame(() => resolve(performance.now() - began));
              else requestAnimationFrame(look);
            };
            requestAnimationFrame(look);
          }),
        status,
      ),
    );
  }
  return times;
}

/** The pages on which the whole catalogue is listed and searched. */
async function reportCatalogue(page) {
  await page.goto(`${url}/panel/catalogue`);
  await page.locator('[data-at="0"]').waitFor();
  console.log(await page.getByText(/ apps/).first().innerText());
  console.log(`key to frame in the catalogue: ${describe(await pressKeys(page, 60))} (budget p95 100)`);
  await page.goto(`${url}/panel/catalogue`);
  const times = [];
  for (const word of [
    'git',
    'mail',
    'sheet',
    'pay',
    'chat',
    'calendar',
    'crm',
    'video',
    'file',
    'form',
    'note',
    'ship',
  ]) {
    const before = await page.locator('[data-at="0"]').innerText();
    await page.getByRole('searchbox').first().focus();
    await page.keyboard.press('Control+A');
    const began = performance.now();
    await page.keyboard.insertText(word);
    await page.waitForFunction(
      (old) => {
        const first = document.querySelector('[data-at="0"]');
        return first !== null && first.innerText !== old;
      },
      before,
      { polling: 'raf' },
    );
    times.push(performance.now() - began);
  }
  console.log(`typing in the catalogue to rows: ${describe(times)} (budget p95 400)`);
  console.log(`elements: ${await page.evaluate(() => document.querySelectorAll('*').length)} (budget 3,000)`);
}

/** Milliseconds from opening the page of an agent to its boxes. */
async function openEditor(page, count) {
  const times = [];
  for (let at = 0; at < count; at++) {
    await page.goto(`${url}/panel/agents`);
    const row = page.locator('[data-at="0"]');
    await row.waitFor();
    const began = performance.now();
    await row.press('Enter');
    await page.getByRole('checkbox').first().waitFor();
    times.push(performance.now() - began);
  }
  return times;
}

function describe(times) {
  const sorted = [...times].sort((one, other) => one - other);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(0);
  return `median ${at(0.5)} ms, p95 ${at(0.95)} ms`;
}
