/**
 * The built panel in a real Chromium, against a real server. A visit is one person in one browser, used by keyboard. At its
 * end it must have caused no error in the console, no violation of the content policy, no request to anybody else, and no
 * violation of the accessibility rules that axe knows.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect, TestRunner } from 'vitest';
import type { Role } from '../../src/domain/principal.js';
import { createHttpApp, type Listening, listen } from '../../src/surfaces/http/index.js';
import { createTestHelve, type TestHelve, type TestHelveOptions } from '../../src/testing/index.js';
import { findChromium, whatToInstall } from '../../src/walls/browser/find.js';

const panelFolder = fileURLToPath(new URL('../../dist/panel/', import.meta.url));
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Chromium's engine without a window, which takes less processor time: the other draws the frame of a window too. */
const headlessShell = 'chromium-headless-shell';
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

export interface Ground {
  readonly helve: TestHelve;
  /** Where Helve serves, without a slash at the end. */
  readonly url: string;
  /** A browser in which this person, newly added, is signed in. Default: an administrator. */
  visit(role?: Role): Promise<Visit>;
  /** A browser in which nobody is signed in. */
  visitSignedOut(options?: Parameters<Browser['newContext']>[0]): Promise<Visit>;
  /** A one-time link for a new person. */
  invite(role: Role): Promise<string>;
  /** Stops the server, and starts it again at the same address. The data stays. */
  stopServing(): Promise<void>;
  startServing(): Promise<void>;
  close(): Promise<void>;
}

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Opens a place of the panel: `calls`, `agents/tester`. */
  open(place: string): Promise<void>;
  /** Moves the focus with Tab to what has this name, and presses Enter or Space. */
  use(name: string | RegExp): Promise<void>;
  /** Moves the focus with Tab to the field with this name, and types. */
  type(name: string | RegExp, text: string): Promise<void>;
  /** Moves the focus with Tab to the list with this name, and chooses the option by typing it. */
  choose(name: string | RegExp, option: string): Promise<void>;
  /** Fails unless the page, as it is now, and everything before it was in order. Then closes the browser. */
  end(): Promise<void>;
  /** Expects this console error, once or more. */
  tolerate(pattern: RegExp): void;
}

/** Starts Helve with the built panel, and a browser. */
export async function startGround(options: TestHelveOptions = {}): Promise<Ground> {
  const executablePath = findChromium(process.env.PATH ?? '', [headlessShell]);
  if (executablePath === undefined) throw new Error(`There is no Chromium: ${whatToInstall}`);
  const port = await findPort();
  const url = `http://127.0.0.1:${port}`;
  const helve = await createTestHelve({ publicUrl: url, ...options });
  const app = createHttpApp({ plane: helve.plane, publicUrl: url, panelFolder });
  let listening: Listening | undefined;
  const startServing = async () => {
    listening = await listen({ fetch: app.fetch, host: '127.0.0.1', port, graceMs: 0 });
  };
  await startServing();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  let people = 0;
  const ground: Ground = {
    helve,
    url,
    async invite(role) {
      people += 1;
      return (await helve.plane.createUser(helve.admin, { name: `${role} ${people}`, role })).link;
    },
    async visit(role = 'admin') {
      const visit = await ground.visitSignedOut();
      await visit.page.goto(await ground.invite(role));
      await visit.use('Sign in');
      await visit.page.waitForURL('**/panel/');
      return visit;
    },
    visitSignedOut: async (more) => createVisit(await browser.newContext(more), url),
    async stopServing() {
      await listening?.close();
      listening = undefined;
    },
    startServing,
    async close() {
      if (TestRunner.getCurrentTest()?.result?.state === 'fail') await printPages(browser);
      await browser.close();
      await listening?.close();
      await helve.close();
    },
  };
  return ground;
}

/** Prints what each open page shows, so that a failure on another machine can be understood. */
async function printPages(browser: Browser): Promise<void> {
  for (const page of browser.contexts().flatMap((context) => context.pages()))
    console.error(`${page.url()} showed:\n${await page.innerText('body').catch(String)}`);
}

async function createVisit(context: BrowserContext, url: string): Promise<Visit> {
  const wrong: string[] = [];
  const tolerated: RegExp[] = [];
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`policy violation: ${violatedDirective} ${blockedURI}`),
    );
  });
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== url && protocol !== 'data:' && protocol !== 'blob:') wrong.push(`request to ${origin}`);
  });
  context.on('console', (message) => {
    if (message.type() === 'error') wrong.push(`${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => wrong.push(String(error.error())));
  // Less than a test may take, so that the step that fails is named.
  context.setDefaultTimeout(25_000);
  const page = await context.newPage();
  const visit: Visit = {
    page,
    context,
    async open(place) {
      await page.goto(`${url}/panel/${place}`);
      await page.locator('h1').waitFor();
    },
    async use(name) {
      await focus(page, name);
      const isBox = await page.evaluate(() =>
        document.activeElement?.matches('input[type="checkbox"], input[type="radio"]'),
      );
      await page.keyboard.press(isBox ? 'Space' : 'Enter');
    },
    async type(name, text) {
      await focus(page, name, 'input, textarea');
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText(text);
    },
    async choose(name, option) {
      await focus(page, name, 'select');
      await page.keyboard.type(option);
    },
    tolerate: (pattern) => void tolerated.push(pattern),
    async end() {
      await expectAccessible(page);
      expect(wrong.filter((line) => !tolerated.some((pattern) => pattern.test(line)))).toEqual([]);
      await context.close();
    },
  };
  return visit;
}

/** How often Tab is pressed before something counts as not reachable. */
const maxTabs = 150;

/** What can have the focus. */
const focusable = 'a, button, input, select, textarea, summary';

/** Presses Tab until the element with this name has the focus. It waits for the element first. `among`: a CSS selector. */
async function focus(page: Page, name: string | RegExp, among = focusable): Promise<void> {
  const text = typeof name === 'string' ? { exact: name } : { source: name.source, flags: name.flags };
  const wanted = { ...text, among };
  await page.waitForFunction(hasNamed, wanted);
  for (let count = 0; count < maxTabs; count += 1) {
    if (await page.evaluate(isFocused, wanted)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`No Tab leads to ${String(name)} on ${page.url()}`);
}

interface Wanted {
  readonly among: string;
  readonly exact?: string;
  readonly source?: string;
  readonly flags?: string;
}

/* The two functions run in the page, so each must be complete in itself. */

function hasNamed({ among, exact, source, flags }: Wanted): boolean {
  const matches = (given: string) =>
    exact === undefined ? new RegExp(source ?? '', flags).test(given) : given === exact;
  const all = document.querySelectorAll<HTMLElement>(among);
  const scope = document.querySelector('dialog[open]');
  return [...all].some((element) => {
    if (scope !== null && !scope.contains(element)) return false;
    if (element.matches(':disabled')) return false;
    const label = (element as HTMLInputElement).labels?.[0]?.innerText.split('\n')[0] ?? '';
    const given = element.ariaLabel ?? (label || element.innerText || (element as HTMLInputElement).value || '');
    return matches(given.trim());
  });
}

function isFocused({ among, exact, source, flags }: Wanted): boolean {
  const matches = (given: string) =>
    exact === undefined ? new RegExp(source ?? '', flags).test(given) : given === exact;
  const element = document.activeElement as HTMLInputElement | null;
  if (!element?.matches(among)) return false;
  const label = element.labels?.[0]?.innerText.split('\n')[0] ?? '';
  const given = element.ariaLabel ?? (label || element.innerText || element.value || '');
  return matches(given.trim());
}

/**
 * Runs axe over the debugging protocol, which the content policy does not concern. `only`: these rules instead of all. A page
 * is given axe once.
 */
export async function expectAccessible(page: Page, only?: readonly string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const evaluate = async (expression: string) =>
    (await session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })).result.value;
  if ((await evaluate('typeof axe')) === 'undefined') await evaluate(`${axe};0`);
  // Of what is in order nothing is read, so axe need not describe it.
  const options = { runOnly: only ?? rules, resultTypes: ['violations'] };
  const found = await evaluate(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => JSON.stringify(violations))`,
  );
  await session.detach();
  const violations = JSON.parse(String(found)) as { id: string; nodes: { html: string }[] }[];
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}

async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return address.port;
}
