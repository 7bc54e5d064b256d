/** Pages in a real Chromium: what they say, how they look, and that none of them reaches inside. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { mayBeMissing } from '../../testing/needs.js';
import { findChromium } from '../../walls/browser/find.js';

const installed = findChromium(process.env.PATH ?? '') !== undefined;
mayBeMissing(installed ? undefined : 'there is no Chromium on this machine');
const chromiumTest = test.skipIf(!installed);

const article = (body: string) => `<!doctype html><html><head><title>Bees</title></head><body>
  <nav><a href="/home">Home</a></nav>
  <article><h1>Bees</h1><p>${'Bees make honey from the nectar of flowers. '.repeat(12)}</p>${body}
  <p>Read <a href="more.html?x=1">more</a> or <a href="javascript:alert(1)">nothing</a>. ${'Honey keeps. '.repeat(20)}</p>
  <ul><li>wax</li><li>honey</li></ul></article><footer>Imprint</footer></body></html>`;

let site: Server;
let inside: Server;
let reached: string[] = [];
let base: string;
let helve: TestHelve;

const pages: Record<string, (request: IncomingMessage) => string> = {
  '/article': () => article(''),
  '/table': () =>
    article(`<table><caption>Prices</caption><thead><tr><th>Kind</th><th>Sold in</th><th>Price</th></tr></thead>
      <tbody><tr><td rowspan="2">Acacia</td><td>jars</td><td><b>4</b></td></tr><tr><td>a|b</td><td>5<br>6</td></tr>
      <tr><td colspan="2">Heather</td><td>7</td></tr></tbody></table>
      <table><tr><td>${'Alone in its column. '.repeat(9)}</td></tr></table>
      <pre><span>def</span> bee_count(*hives):<br>    return len(hives)  # \`\`\`</pre>
      <ul><li>One<ul><li>Two</li></ul></li></ul>`),
  '/scripted': () =>
    article('<p id="late"></p><script>setTimeout(() => { late.textContent = "Written by a script." }, 50)</script>'),
  '/hostile': () => {
    const target = `http://127.0.0.1:${(inside.address() as AddressInfo).port}`;
    const local = target.replace('127.0.0.1', 'localhost');
    return article(`<img src="${target}/image"><iframe src="${target}/frame"></iframe><script>
      fetch("${target}/fetch", { mode: "no-cors" }); fetch("${local}/name", { mode: "no-cors" });
      new WebSocket("${target.replace('http', 'ws')}/socket"); navigator.sendBeacon("${target}/beacon");
      new EventSource("${target}/events"); fetch("http://169.254.169.254/latest/meta-data", { mode: "no-cors" });
      new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:3478" }] }).createDataChannel("x");
      const link = document.createElement("link"); link.rel = "prefetch"; link.href = "${target}/prefetch"; document.head.append(link);
    </script>`);
  },
  '/dialog': () => article('<script>alert(1); confirm(2); prompt(3)</script><p>After the dialogs.</p>'),
  '/endless': () => article('<script>for (;;) {}</script>'),
  '/tall': () =>
    '<title>Tall</title><body style="margin:0"><div style="height:3000px;background:linear-gradient(red,blue)">',
  '/very-tall': () => '<title>Very tall</title><body style="margin:0"><div style="height:17000px">',
  '/agent': ({ headers }) => article(`<p>agent: ${headers['user-agent']}</p>`),
};

beforeAll(async () => {
  site = createServer((request, response) => {
    if (request.url === '/file') return void response.writeHead(200, { 'content-type': 'application/zip' }).end('PK');
    if (request.url === '/long')
      return void response.writeHead(200, { 'content-type': 'text/html' }).end(article('x'.repeat(6_000_000)));
    if (request.url === '/old')
      return void response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(
          Buffer.from(
            '<title>Caf\xe9</title><meta charset="ISO-8859-1"><p>Cr\xeape, na\xefve, d\xe9j\xe0 vu.</p>',
            'latin1',
          ),
        );
    if (request.url === '/away')
      return void response
        .writeHead(302, { location: `http://127.0.0.1:${(inside.address() as AddressInfo).port}/` })
        .end();
    const page = pages[request.url ?? ''];
    response.writeHead(page ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
    response.end(page ? page(request) : '<title>Gone</title><p>No such page.</p>');
  }).listen(0, '127.0.0.1');
  inside = createServer((request, response) => {
    reached.push(request.url ?? '');
    response.end('secret');
  }).listen(0, '127.0.0.1');
  await Promise.all([once(site, 'listening'), once(inside, 'listening')]);
  const { port } = site.address() as AddressInfo;
  base = `http://127.0.0.1:${port}`;
  // The site stands for the web outside; `inside` is on the same address and stays closed.
  helve = await createTestHelve({ egress: { allowedAddresses: [`127.0.0.1:${port}`] } });
});
afterAll(async () => {
  await helve.close();
  site.close();
  inside.close();
});

describe('R-browser: fetch_page', () => {
  test('the article as Markdown with whole links, without navigation, scripts and other addresses', async () => {
    const result = await helve.call('fetch_page', { url: `${base}/article`, run_scripts: false });
    expect(result).toMatchObject({ ok: true, output: { status_code: 200, title: 'Bees', scripts_ran: false } });
    const { content } = (result as unknown as { output: { content: string } }).output;
    expect(content).toMatch(/Bees make honey/);
    expect(content).toContain(`[more](${base}/more.html?x=1)`);
    expect(content).toMatch(/-\s+wax\n-\s+honey/);
    expect(content).not.toMatch(/javascript:|Imprint|Home/);
  });

  test('as text, and as cleaned HTML', async () => {
    const of = async (format: string) => {
      const result = await helve.call('fetch_page', { url: `${base}/article`, run_scripts: false, format });
      return (result as unknown as { output: { content: string } }).output.content;
    };
    expect(await of('text')).not.toMatch(/[<>]|\]\(/);
    expect(await of('html')).toMatch(/<p>Bees make honey/);
  });

  test('the rows of a table stay rows, code stays as it is, and blocks stay apart', async () => {
    const of = async (format: string) => {
      const result = await helve.call('fetch_page', { url: `${base}/table`, run_scripts: false, format });
      return (result as unknown as { output: { content: string } }).output.content;
    };
    const markdown = await of('markdown');
    expect(markdown).toContain(
      [
        'Prices',
        '',
        '| Kind | Sold in | Price |',
        '| --- | --- | --- |',
        '| Acacia | jars | **4** |',
        '| Acacia | a\\|b | 5 6 |',
        '| Heather |  | 7 |',
      ].join('\n'),
    );
    expect(markdown).toContain('\n````\ndef bee_count(*hives):\n    return len(hives)  # ```\n````\n');
    expect(markdown).toMatch(/\n\nAlone in its column/);
    const text = await of('text');
    expect(text).toContain('Kind | Sold in | Price\nAcacia | jars | 4\n');
    expect(text).toContain('One\nTwo\n');
    expect(text).toContain('def bee_count(*hives):\n    return len(hives)');
  });

  chromiumTest('scripts run in a real browser before the page is read', async () => {
    const result = await helve.call('fetch_page', { url: `${base}/scripted` });
    expect(result).toMatchObject({
      ok: true,
      output: { scripts_ran: true, url: `${base}/scripted`, status_code: 200 },
    });
    expect(result).toMatchObject({ output: { content: expect.stringContaining('Written by a script.') } });
  });

  chromiumTest('a page with a status of its own, and one that asks', async () => {
    expect(await helve.call('fetch_page', { url: `${base}/none` })).toMatchObject({ output: { status_code: 404 } });
    const asking = await helve.call('fetch_page', { url: `${base}/dialog` });
    expect(asking).toMatchObject({ ok: true, output: { content: expect.stringContaining('After the dialogs.') } });
  });

  test('a page that is too long is not cut in silence, and one names its charset itself', async () => {
    const ask = (path: string) => helve.call('fetch_page', { url: `${base}${path}`, run_scripts: false });
    expect(await ask('/long')).toMatchObject({ ok: false, error: { code: 'too_large' } });
    expect(await ask('/old')).toMatchObject({
      output: { title: 'Café', content: expect.stringContaining('Crêpe, naïve, déjà vu.') },
    });
  });

  test('what is not a page, not an address, not allowed', async () => {
    const ask = (url: string) => helve.call('fetch_page', { url, run_scripts: false });
    expect(await ask(`${base}/file`)).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(await ask('file:///etc/passwd')).toMatchObject({ ok: false, error: { code: 'egress_blocked' } });
    expect(await ask('http://169.254.169.254/')).toMatchObject({ ok: false, error: { code: 'egress_blocked' } });
    const rows = (await helve.audited()).filter(({ tool }) => tool === 'Browser.fetchPage');
    expect(rows.at(-1)).toMatchObject({ type: 'execution.finished', body: { status: 'failed' } });
  });
});

describe('R-browser: the wall around the browser', () => {
  chromiumTest('a hostile page reaches nothing inside by any of its ways', async () => {
    reached = [];
    const result = await helve.call('fetch_page', { url: `${base}/hostile`, wait_ms: 1_500 });
    expect(result).toMatchObject({ ok: true, output: { scripts_ran: true } });
    expect(reached).toEqual([]);
  });

  chromiumTest('an internal address, a redirect to one and a file are refused with the word of the wall', async () => {
    reached = [];
    for (const url of [`http://127.0.0.1:${(inside.address() as AddressInfo).port}/`, `${base}/away`]) {
      const result = await helve.call('take_screenshot', { url });
      expect(result, url).toMatchObject({ ok: false, error: { code: 'egress_blocked' } });
    }
    for (const url of ['file:///etc/passwd', 'chrome://version', 'view-source:http://x', 'javascript:1']) {
      expect(await helve.call('take_screenshot', { url }), url).toMatchObject({ ok: false });
    }
    expect(reached).toEqual([]);
  });

  chromiumTest('domains of tool_config hold for the page and all that it loads', async () => {
    const config = { allowed_domains: ['example.com'] };
    const egress = { allowedAddresses: ['127.0.0.1'] };
    const narrow = await createTestHelve({ egress, toolConfig: { fetch_page: config, take_screenshot: config } });
    const result = await narrow.call('take_screenshot', { url: `${base}/article` });
    expect(result).toMatchObject({ ok: false, error: { code: 'egress_blocked' } });
    await narrow.close();
  });

  chromiumTest('a page that never ends is ended in its time, and its browser with it', async () => {
    const narrow = await createTestHelve({ egress: { allowedAddresses: ['127.0.0.1'] } });
    const stop = new AbortController();
    const before = await chromiums();
    const ending = narrow.call('fetch_page', { url: `${base}/endless` }, { signal: stop.signal });
    // Other tests may start browsers at the same time. Each has a folder of its own in its command line.
    let its: readonly string[] = [];
    const findIts = async () => {
      its = (await chromiums()).filter((line) => !before.includes(line));
      return its;
    };
    if (existsSync('/proc')) await expect.poll(findIts).not.toEqual([]);
    setTimeout(() => stop.abort(), 2_000);
    expect(await ending).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    await narrow.close();
    await expect.poll(async () => (await chromiums()).filter((line) => its.includes(line))).toEqual([]);
  });
});

describe('R-browser: take_screenshot', () => {
  chromiumTest('a picture of the size that was asked for, whole pages too', async () => {
    const small = await helve.call('take_screenshot', { url: `${base}/tall`, width: 400, height: 300 });
    expect(small).toMatchObject({ ok: true, output: { title: 'Tall', width: 400, height: 300 } });
    const [image] = (small as unknown as { content: { type: string; data: string }[] }).content;
    expect(image?.type).toBe('image');
    expect(
      Buffer.from(image?.data ?? '', 'base64')
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    const whole = await helve.call('take_screenshot', {
      url: `${base}/tall`,
      width: 400,
      height: 300,
      full_page: true,
    });
    expect(whole).toMatchObject({ output: { width: 400, height: 3_000, truncated: false } });
    const endless = await helve.call('take_screenshot', { url: `${base}/very-tall`, width: 200, full_page: true });
    expect(endless).toMatchObject({ output: { height: 16_000, truncated: true } });
  });

  test('without a browser it says what to install', async () => {
    const { createBrowserWall } = await import('../../walls/browser/index.js');
    const wall = createBrowserWall('/nowhere');
    const request = { url: 'https://example.com', width: 1, height: 1, fullPage: false };
    await expect(wall.screenshot(request, {}, new AbortController().signal)).rejects.toMatchObject({
      code: 'invalid_config',
      hint: expect.stringContaining('apt-get install chromium'),
    });
    expect(await wall.checks()).toMatchObject([{ check: 'browser', ok: false }]);
  });
});

/** Command lines of browsers that this process started and that still run. */
/** The command lines of the browsers that run; none on a machine without /proc. */
async function chromiums(): Promise<string[]> {
  if (!existsSync('/proc')) return [];
  const { readdir, readFile } = await import('node:fs/promises');
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
  return lines.filter((line) => line.includes('helve-browser-') && line.includes('--type=') === false);
}
