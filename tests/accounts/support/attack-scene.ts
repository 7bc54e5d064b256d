/** A plane with two workspaces behind its real HTTP application, browsers, and everything that it output or stored. */

import type { Principal } from '../../../src/domain/principal.js';
import { createHttpApp } from '../../../src/surfaces/http/index.js';
import { createTestHelve, type TestHelve } from '../../../src/testing/index.js';
import { createBrowser, type TestBrowser } from './browser.js';
import { vendor } from './vendor.js';

export const publicUrl = 'http://127.0.0.1:4870';
export const callbackUrl = `${publicUrl}/oauth/callback`;

export interface Answer {
  readonly status: number;
  readonly page: string;
  readonly headers: Headers;
}

/** A sign-in whose browser has reached the provider. */
export interface Attempt {
  readonly id: string;
  readonly link: string;
  readonly browser: TestBrowser;
  /** Where the browser was sent, with all parameters. */
  readonly authorization: URL;
  readonly state: string;
}

export interface Scene {
  readonly helve: TestHelve;
  readonly app: ReturnType<typeof createHttpApp>;
  readonly other: Principal;
  /** Everything that was reported as an error of Helve itself. */
  readonly reported: string[];
  browser(): TestBrowser;
  add(name?: string): Promise<string>;
  begin(options?: { id?: string; browser?: TestBrowser }): Promise<Attempt>;
  /** The provider's answer, carried by a browser. */
  back(browser: TestBrowser, query: string | Record<string, string>, more?: RequestInit): Promise<Answer>;
  /** A sign-in from the link to the callback, with a code. */
  signIn(options?: { id?: string }): Promise<Attempt & { answer: Answer }>;
  status(id: string): Promise<string>;
  reason(id: string): Promise<string>;
  grant(id: string): Promise<string>;
  /** Everything that is stored or output: connections of both workspaces, record, reports. */
  everything(): Promise<string>;
  close(): Promise<void>;
}

export async function openAttackScene(baseUrl: string, oauth: string, more: object = {}): Promise<Scene> {
  const reported: string[] = [];
  const helve = await createTestHelve({
    toolkits: [vendor],
    nativeToolkits: [],
    publicUrl,
    config: `toolkits:\n  vendor:\n    base_url: ${baseUrl}\n${oauth}`,
    reportError: (error) => reported.push(wordsOf(error)),
    ...more,
  });
  const app = createHttpApp({ plane: helve.plane, publicUrl, reportError: (error) => reported.push(wordsOf(error)) });
  const { workspaceId } = await helve.ensureWorkspace('other');
  const { principal: other } = await helve.plane.redeemAdminLink(await helve.adminLink(workspaceId));
  const browser = (): TestBrowser =>
    createBrowser((url) => (url.origin === publicUrl ? (address, init) => app.request(address, init) : fetch));
  const parts = { helve, app, other, reported, browser };
  return { ...parts, ...acts(parts) };
}

type Parts = Pick<Scene, 'helve' | 'app' | 'other' | 'reported' | 'browser'>;

function acts({ helve, app, other, reported, browser }: Parts): Omit<Scene, keyof Parts> {
  let names = 0;
  const connection = (id: string) => helve.plane.connection(helve.admin, id);
  const scene: Omit<Scene, keyof Parts> = {
    async add(name) {
      names += 1;
      return (await helve.plane.addConnection(helve.admin, { toolkit: 'vendor', name: name ?? `Account ${names}` })).id;
    },
    async begin({ id, browser: used = browser() } = {}) {
      const connectionId = id ?? (await scene.add());
      const { redirectUrl: link = '' } = await helve.plane.connect(helve.admin, connectionId, {});
      const { url } = await used.go(link, /\/auth(?:orize)?\?/);
      const authorization = new URL(url);
      const state = authorization.searchParams.get('state') ?? '';
      return { id: connectionId, link, browser: used, authorization, state };
    },
    async back(used, query, more = {}) {
      const text = typeof query === 'string' ? query : new URLSearchParams(query).toString();
      const url = `${callbackUrl}?${text}`;
      const cookie = used.cookies(callbackUrl);
      const response = await app.request(url, {
        ...more,
        headers: { host: '127.0.0.1:4870', ...(cookie === '' ? {} : { cookie }), ...(more.headers as object) },
      });
      return { status: response.status, page: await response.text(), headers: response.headers };
    },
    async signIn(options) {
      const attempt = await scene.begin(options);
      const answer = await scene.back(attempt.browser, { code: 'a-code-of-the-provider-01', state: attempt.state });
      return { ...attempt, answer };
    },
    status: async (id) => (await connection(id)).status,
    reason: async (id) => (await connection(id)).reason ?? '',
    async grant(id) {
      const tools = ['who_am_i', 'write_thing'];
      const grant = { toolkit: 'vendor', connectionId: id, tools, limits: {}, config: {} };
      await helve.plane.replaceGrants(helve.admin, 'tester', [grant]);
      return (await connection(id)).slug;
    },
    async everything() {
      const record: unknown[] = [];
      // Also after a test has moved the clock beyond the end of the sessions.
      for (const { credentialId: _, ...reader } of [helve.admin, other])
        for await (const event of helve.plane.exportAudit(reader)) record.push(event);
      const kept = [await helve.plane.connections(helve.admin), await helve.plane.connections(other)];
      return JSON.stringify([record, kept, reported]);
    },
    close: () => helve.close(),
  };
  return scene;
}

/** Everything that a log would show of an error, including its causes. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.stack} ${JSON.stringify(error)} ${error.cause === undefined ? '' : wordsOf(error.cause)}`;
}
