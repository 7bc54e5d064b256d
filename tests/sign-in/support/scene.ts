/** Helve's HTTP application beside a real OpenID provider, and browsers that visit both. */
import type { User } from '../../../src/domain/principal.js';
import { createHttpApp, type HttpApp } from '../../../src/surfaces/http/index.js';
import { createTestHelve, type TestHelve } from '../../../src/testing/index.js';
import { createBrowser, type TestBrowser } from '../../accounts/support/browser.js';

export const publicUrl = 'http://127.0.0.1:4870';
export const callbackUrl = (name: string): string => `${publicUrl}/admin/login/${name}/callback`;

export interface Visit {
  readonly browser: TestBrowser;
  /** Where the browser ended. */
  readonly url: string;
  readonly status: number;
  readonly page: string;
  /** The session cookie that it then has; empty without one. */
  readonly cookie: string;
}

export interface Scene {
  readonly helve: TestHelve;
  readonly app: HttpApp;
  browser(): TestBrowser;
  /** Presses the button of a provider, and follows wherever it leads. */
  signIn(name: string, options?: { readonly browser?: TestBrowser; readonly returnTo?: string }): Promise<Visit>;
  /** As `signIn`, up to the callback, which no browser has opened yet. */
  stopAtCallback(name: string, browser?: TestBrowser): Promise<{ readonly browser: TestBrowser; readonly url: string }>;
  visit(browser: TestBrowser, url: string): Promise<Visit>;
  /** Who is signed in with this cookie; undefined for nobody. */
  whoIs(cookie: string): Promise<{ readonly name: string; readonly role: string; readonly id: string } | undefined>;
  users(): Promise<readonly User[]>;
  refusals(): Promise<readonly unknown[]>;
  close(): Promise<void>;
}

export async function openScene(providers: readonly object[], more: object = {}): Promise<Scene> {
  const helve = await createTestHelve({
    publicUrl,
    nativeToolkits: [],
    config: JSON.stringify({ sign_in: { oidc: providers }, ...more }),
  });
  const app = createHttpApp({ plane: helve.plane, publicUrl });
  const browser = (): TestBrowser =>
    createBrowser((url) => (url.origin === publicUrl ? (address, init) => app.request(address, init) : fetch));
  const startOf = (name: string, returnTo?: string): string =>
    `${publicUrl}/admin/login/${name}${returnTo === undefined ? '' : `?${new URLSearchParams({ return_to: returnTo })}`}`;
  const scene: Scene = {
    helve,
    app,
    browser,
    async visit(used, url) {
      const { url: end, response } = await used.go(url);
      const page = (await response?.text()) ?? '';
      const cookie =
        used
          .cookies(publicUrl)
          .split('; ')
          .find((pair) => /^helve_session=./.test(pair)) ?? '';
      return { browser: used, url: end, status: response?.status ?? 0, page, cookie };
    },
    signIn: (name, { browser: used = browser(), returnTo } = {}) => scene.visit(used, startOf(name, returnTo)),
    async stopAtCallback(name, used = browser()) {
      const { url } = await used.go(startOf(name), /\/callback\?/);
      return { browser: used, url };
    },
    async whoIs(cookie) {
      const response = await app.request('/api/session', { headers: { cookie } });
      return response.status === 200 ? ((await response.json()) as { user: User }).user : undefined;
    },
    users: () => helve.plane.users(helve.admin),
    async refusals() {
      return (await helve.audited()).filter(({ type }) => type === 'request.refused').map(({ body }) => body);
    },
    close: () => helve.close(),
  };
  return scene;
}
