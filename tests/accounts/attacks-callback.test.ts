/**
 * Attacks on the way to a provider and back: states, browsers, workspaces, issuers, codes, pages. In each row someone
 * does one thing that the protocol forbids; the row says what must be true afterwards.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listen } from '../../src/surfaces/http/index.js';
import { sha256 } from '../../src/util/hash.js';
import { type Attempt, callbackUrl, openAttackScene, publicUrl, type Scene } from './support/attack-scene.js';
import { type Liar, startLiar, truthful } from './support/liar.js';

let liar: Liar;
let scene: Scene;

beforeAll(async () => {
  liar = await startLiar();
  scene = await openAttackScene(liar.url, liar.config('vendor'));
});
afterAll(async () => {
  await scene.close();
  await liar.close();
});
beforeEach(() => {
  liar.answer = truthful;
  liar.account = 'ada';
  liar.tokenRequests.length = 0;
});

const code = 'a-code-of-the-provider-01';
const good = ({ state }: Attempt): Record<string, string> => ({ code, state });

/** Refused: no token was requested, and the rightful person can still finish the sign-in. */
async function refusedAndAlive(attempt: Attempt, act: () => Promise<{ status: number; page: string }>): Promise<void> {
  const { status, page } = await act();
  expect(status).toBe(400);
  expect(page).toContain('Not connected');
  expect(liar.tokenRequests).toEqual([]);
  expect(await scene.status(attempt.id)).toBe('pending');
  expect((await scene.back(attempt.browser, good(attempt))).status).toBe(200);
  expect(liar.tokenRequests).toHaveLength(1);
}

/** Refused permanently: the state is used up, no token was requested, and the connection says why. */
async function refusedAndOver(attempt: Attempt, query: string | Record<string, string>): Promise<string> {
  const { status, page } = await scene.back(attempt.browser, query);
  expect(status).toBe(400);
  expect(liar.tokenRequests).toEqual([]);
  expect(await scene.status(attempt.id)).toBe('error');
  expect((await scene.back(attempt.browser, good(attempt))).status).toBe(400);
  expect(liar.tokenRequests).toEqual([]);
  return page;
}

type Row = readonly [name: string, run: () => Promise<void>];

const states: readonly Row[] = [
  ['none of them: an honest answer connects', async () => expect((await scene.signIn()).answer.status).toBe(200)],
  ...(
    [
      ['no state', () => ({ code })],
      ['an empty state', () => ({ code, state: '' })],
      ['an unknown state', () => ({ code, state: 'x'.repeat(43) })],
      [
        'a state with one letter altered',
        ({ state }) => ({ code, state: (state[0] === 'a' ? 'b' : 'a') + state.slice(1) }),
      ],
      ['a state with something after it', ({ state }) => ({ code, state: `${state} ` })],
      ['a state that is cut', ({ state }) => ({ code, state: state.slice(0, -1) })],
      ['a state of 100 kB', ({ state }) => ({ code, state: state + 'x'.repeat(100_000) })],
      ['a state twice', ({ state }) => `code=${code}&state=${state}&state=${state}`],
      ['a state and another one', ({ state }) => `code=${code}&state=${state}&state=${'y'.repeat(43)}`],
      ['the hash that is stored in place of the state', ({ state }) => ({ code, state: sha256(state) })],
      ['nothing at all', () => ''],
      ['an error without a state', () => ({ error: 'access_denied' })],
    ] satisfies [string, (attempt: Attempt) => string | Record<string, string>][]
  ).map(
    ([name, query]): Row => [
      name,
      async () => {
        const attempt = await scene.begin();
        await refusedAndAlive(attempt, () => scene.back(attempt.browser, query(attempt)));
      },
    ],
  ),
  [
    'the same callback again',
    async () => {
      const attempt = await scene.signIn();
      expect(attempt.answer.status).toBe(200);
      expect((await scene.back(attempt.browser, good(attempt))).status).toBe(400);
      expect(liar.tokenRequests).toHaveLength(1);
      expect(await scene.status(attempt.id)).toBe('active');
    },
  ],
  [
    'the same callback twenty times in parallel',
    async () => {
      const attempt = await scene.begin();
      const answers = await Promise.all(Array.from({ length: 20 }, () => scene.back(attempt.browser, good(attempt))));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(liar.tokenRequests).toHaveLength(1);
    },
  ],
  [
    'a code after an error with the same state',
    async () => {
      const attempt = await scene.begin();
      await refusedAndOver(attempt, { error: 'access_denied', state: attempt.state });
    },
  ],
  [
    'a state that is eleven minutes old',
    async () => {
      const attempt = await scene.begin();
      scene.helve.advance(11 * 60_000);
      expect((await scene.back(attempt.browser, good(attempt))).status).toBe(400);
      expect(liar.tokenRequests).toEqual([]);
      expect(await scene.status(attempt.id)).not.toBe('active');
    },
  ],
  [
    'the state of a sign-in under way, for another account',
    async () => {
      const [one, two] = [await scene.begin(), await scene.begin()];
      // Each browser has only its own cookie.
      await refusedAndAlive(two, () => scene.back(one.browser, good(two)));
      expect(await scene.status(one.id)).toBe('pending');
    },
  ],
];

const browsers: readonly Row[] = [
  [
    'the callback in another browser',
    async () => {
      const attempt = await scene.begin();
      await refusedAndAlive(attempt, () => scene.back(scene.browser(), good(attempt)));
    },
  ],
  [
    'an error in another browser, to end another person’s sign-in',
    async () => {
      const attempt = await scene.begin();
      await refusedAndAlive(attempt, () => scene.back(scene.browser(), { error: 'x', state: attempt.state }));
    },
  ],
  [
    'the callback of the attacker’s own sign-in, sent to a victim who is signing in',
    async () => {
      const [attacker, victim] = [await scene.begin(), await scene.begin()];
      await refusedAndAlive(attacker, () => scene.back(victim.browser, good(attacker)));
      expect(await scene.status(victim.id)).toBe('pending');
    },
  ],
  [
    'a cookie that is altered',
    async () => {
      const attempt = await scene.begin();
      const cookie = attempt.browser.cookies(callbackUrl);
      const altered = cookie.slice(0, -1) + (cookie.endsWith('A') ? 'B' : 'A');
      await refusedAndAlive(attempt, () =>
        scene.back(scene.browser(), good(attempt), { headers: { cookie: altered } }),
      );
    },
  ],
  [
    'the cookie of one sign-in under the name of another’s',
    async () => {
      const [one, two] = [await scene.begin(), await scene.begin()];
      const [name] = two.browser.cookies(callbackUrl).split('=');
      const value = one.browser.cookies(callbackUrl).split('=')[1];
      const cookie = `${name}=${value}`;
      await refusedAndAlive(two, () => scene.back(scene.browser(), good(two), { headers: { cookie } }));
    },
  ],
  [
    'a session of another workspace in the browser that comes back',
    async () => {
      const attempt = await scene.begin();
      const { workspaceId } = scene.other;
      const { session } = await scene.helve.plane.redeemAdminLink(await scene.helve.adminLink(workspaceId));
      const cookie = `${attempt.browser.cookies(callbackUrl)}; helve_session=${session}`;
      await refusedAndAlive(attempt, () => scene.back(scene.browser(), good(attempt), { headers: { cookie } }));
    },
  ],
  [
    'the link in a second browser',
    async () => {
      const attempt = await scene.begin();
      const { response } = await scene.browser().go(attempt.link, /authorize\?/);
      expect(response?.status).toBe(403);
      expect(await response?.text()).toContain('opened in another browser');
      expect((await scene.back(attempt.browser, good(attempt))).status).toBe(200);
    },
  ],
  [
    'the link in twenty browsers in parallel',
    async () => {
      const id = await scene.add();
      const { redirectUrl = '' } = await scene.helve.plane.connect(scene.helve.admin, id, {});
      const ends = await Promise.all(Array.from({ length: 20 }, () => scene.browser().go(redirectUrl, /authorize\?/)));
      expect(ends.filter(({ response }) => response === undefined)).toHaveLength(1);
    },
  ],
  [
    'the link after the sign-in is over, and after ten minutes',
    async () => {
      const over = await scene.signIn();
      expect((await over.browser.go(over.link, /authorize\?/)).response?.status).toBe(410);
      const late = await scene.begin();
      scene.helve.advance(11 * 60_000);
      expect((await late.browser.go(late.link, /authorize\?/)).response?.status).toBe(410);
    },
  ],
  [
    'a link that is altered, or none',
    async () => {
      const { link } = await scene.begin();
      for (const wrong of [`${link}x`, link.slice(0, -1), `${publicUrl}/connect/x`, `${publicUrl}/connect/%00`])
        expect((await scene.browser().go(wrong)).response?.status).toBe(410);
    },
  ],
];

const codes: readonly Row[] = (
  [
    ['no code', ({ state }) => ({ state })],
    ['a code twice', ({ state }) => `code=${code}&code=${code}&state=${state}`],
    ['two codes', ({ state }) => `code=${code}&code=other&state=${state}`],
    ['a code and an error', ({ state }) => ({ code, state, error: 'access_denied' })],
    [
      'tokens in the address (implicit)',
      ({ state }) => ({ state, access_token: 'injected-token-1', token_type: 'bearer' }),
    ],
    ['a code and an ID token (hybrid)', ({ state }) => ({ state, code, id_token: 'e30.e30.e30' })],
    ['a signed response (JARM)', ({ state }) => ({ state, code, response: 'e30.e30.e30' })],
    ['a code and a token', ({ state }) => ({ state, code, token: 'injected-token-2' })],
    ['an issuer twice', ({ state }) => `code=${code}&state=${state}&iss=${liar.url}&iss=${liar.url}`],
    ['an empty issuer', ({ state }) => ({ code, state, iss: '' })],
    ['an issuer elsewhere', ({ state }) => ({ code, state, iss: 'https://evil.example' })],
    [
      'an issuer that looks alike',
      ({ state }) => ({ code, state, iss: liar.url.replace('127.0.0.1', '127.0.0.1.evil.example') }),
    ],
    ['an issuer that is not an address', ({ state }) => ({ code, state, iss: 'javascript:alert(1)' })],
    ['an error twice', ({ state }) => `error=a&error=b&state=${state}`],
  ] satisfies [string, (attempt: Attempt) => string | Record<string, string>][]
).map(
  ([name, query]): Row => [
    name,
    async () => {
      const attempt = await scene.begin();
      await refusedAndOver(attempt, query(attempt));
      expect(await scene.everything()).not.toContain('injected-token');
    },
  ],
);

const pages: readonly Row[] = [
  [
    'a script in an error and its description',
    async () => {
      const attempt = await scene.begin();
      const script = '<script>alert(1)</script><img src=x onerror=alert(1)>"\'`';
      const page = await refusedAndOver(attempt, {
        error: `x${script}`,
        error_description: script,
        state: attempt.state,
      });
      expect(page).not.toMatch(/<script|<img|onerror=alert\(1\)>/);
      expect(page).toContain('&lt;script&gt;');
    },
  ],
  [
    'an address in an error_uri',
    async () => {
      const attempt = await scene.begin();
      const more = { error: 'x', error_uri: 'javascript:alert(1)', state: attempt.state };
      expect(await refusedAndOver(attempt, more)).not.toMatch(/javascript|href="(?!\/)/);
    },
  ],
  [
    'a megabyte of description',
    async () => {
      const attempt = await scene.begin();
      const page = await refusedAndOver(attempt, {
        error: 'x',
        error_description: 'y'.repeat(1_000_000),
        state: attempt.state,
      });
      expect(page.length).toBeLessThan(5_000);
      expect((await scene.reason(attempt.id)).length).toBeLessThan(1_000);
    },
  ],
  [
    'line ends and marks that turn text round',
    async () => {
      const attempt = await scene.begin();
      const { headers } = await scene.back(attempt.browser, {
        error: 'x',
        error_description: 'a\r\nset-cookie: evil=1\u202e',
        state: attempt.state,
      });
      expect(headers.getSetCookie()).toEqual([]);
    },
  ],
  [
    'the page in a frame, with a script, in a cache',
    async () => {
      const attempt = await scene.begin();
      const headersSent = { cookie: attempt.browser.cookies(callbackUrl) };
      // Through a socket, because some headers are written directly to it.
      const real = await listen({ fetch: scene.app.fetch, host: '127.0.0.1', port: 0 });
      const query = new URLSearchParams(good(attempt));
      const answer = await fetch(`${real.url}/oauth/callback?${query}`, { headers: headersSent });
      const refusal = await fetch(`${real.url}/oauth/callback?${query}`, { headers: headersSent });
      const page = await answer.text();
      await real.close();
      expect([answer.status, refusal.status]).toEqual([200, 400]);
      for (const { headers } of [answer, refusal]) {
        const policy = headers.get('content-security-policy') ?? '';
        expect(policy).toContain("frame-ancestors 'none'");
        expect(policy).toContain("default-src 'none'");
        expect(policy).not.toMatch(/unsafe|script-src/);
        expect(headers.get('x-frame-options')).toBe('DENY');
        expect(headers.get('cache-control')).toContain('no-store');
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(['no-referrer', 'same-origin']).toContain(headers.get('referrer-policy'));
      }
      expect(page).not.toMatch(/<script|https?:\/\//);
      expect(page).not.toContain(code);
    },
  ],
  [
    'afterwards: the link in a referrer or a cache',
    async () => {
      const id = await scene.add();
      const { redirectUrl = '' } = await scene.helve.plane.connect(scene.helve.admin, id, {});
      const page = await scene.app.request(redirectUrl, { headers: { host: '127.0.0.1:4870' } });
      expect([page.headers.get('referrer-policy'), page.headers.getSetCookie()]).toEqual(['same-origin', []]);
      const headers = { host: '127.0.0.1:4870', origin: publicUrl };
      const response = await scene.app.request(redirectUrl, { method: 'POST', headers });
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
      expect(response.headers.get('cache-control')).toContain('no-store');
      const [cookie = ''] = response.headers.getSetCookie();
      expect(cookie).toMatch(/; HttpOnly/i);
      expect(cookie).toMatch(/; SameSite=Lax/i);
      expect(cookie).toMatch(/; Path=\//i);
      expect(cookie).not.toMatch(/domain=/i);
      const ticket = redirectUrl.split('/').at(-1) ?? '';
      expect(response.headers.get('location')).not.toContain(ticket);
    },
  ],
  [
    'another place to go to afterwards',
    async () => {
      const attempt = await scene.begin();
      const evil = 'https://evil.example/';
      const more = { redirect_uri: evil, next: evil, return_to: evil, url: evil, RelayState: evil };
      const { status, headers, page } = await scene.back(attempt.browser, { ...good(attempt), ...more });
      expect([status, headers.get('location'), headers.get('refresh')]).toEqual([200, null, null]);
      expect(page).not.toContain('evil.example');
      expect(liar.tokenRequests[0]?.form.get('redirect_uri')).toBe(callbackUrl);
    },
  ],
  [
    'another host in the request',
    async () => {
      const id = await scene.add();
      const { redirectUrl = '' } = await scene.helve.plane.connect(scene.helve.admin, id, {});
      const asked = (headers: Record<string, string>) =>
        scene.app.request(redirectUrl, { method: 'POST', headers: { origin: publicUrl, ...headers } });
      expect((await asked({ host: 'evil.example' })).status).toBe(403);
      const forwarded = {
        host: '127.0.0.1:4870',
        'x-forwarded-host': 'evil.example',
        forwarded: 'host=evil.example',
        'x-forwarded-proto': 'https',
        'x-original-host': 'evil.example',
      };
      const location = new URL((await asked(forwarded)).headers.get('location') ?? '');
      expect(location.searchParams.get('redirect_uri')).toBe(callbackUrl);
      expect(location.href).not.toContain('evil');
    },
  ],
  [
    'on the way back: the code in a referrer',
    async () => {
      const { answer } = await scene.signIn();
      expect([answer.status, answer.headers.get('referrer-policy')]).toEqual([200, 'no-referrer']);
      const refused = await scene.back(scene.browser(), { code, state: 'none' });
      expect([refused.status, refused.headers.get('referrer-policy')]).toEqual([400, 'no-referrer']);
    },
  ],
  [
    'the button of our page, pressed by another site’s page',
    async () => {
      const id = await scene.add();
      const { redirectUrl = '' } = await scene.helve.plane.connect(scene.helve.admin, id, {});
      for (const origin of ['https://evil.example', 'null', undefined]) {
        const headers = { host: '127.0.0.1:4870', ...(origin === undefined ? {} : { origin }) };
        const response = await scene.app.request(redirectUrl, { method: 'POST', headers });
        expect([response.status, response.headers.get('location'), response.headers.getSetCookie()]).toEqual([
          403,
          null,
          [],
        ]);
      }
      // It has not been opened, so the person still can.
      expect((await scene.browser().go(redirectUrl, /authorize\?/)).url).toContain('/authorize?');
    },
  ],
  [
    'another method',
    async () => {
      const attempt = await scene.begin();
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
        const form = new URLSearchParams(good(attempt)).toString();
        const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: publicUrl };
        const { status } = await scene.back(attempt.browser, good(attempt), { method, headers, body: form });
        expect([404, 405]).toContain(status);
      }
      expect(liar.tokenRequests).toEqual([]);
      expect((await scene.back(attempt.browser, good(attempt))).status).toBe(200);
    },
  ],
  [
    'a scanner that looks at the callback first, by GET or HEAD, without the cookie',
    async () => {
      const attempt = await scene.begin();
      const purpose = { 'sec-purpose': 'prefetch', purpose: 'prefetch' };
      await scene.back(scene.browser(), good(attempt), { method: 'HEAD' });
      await refusedAndAlive(attempt, () => scene.back(scene.browser(), good(attempt), { headers: purpose }));
    },
  ],
];

const turns: readonly Row[] = [
  [
    'disconnected while the person is at the provider',
    async () => {
      const attempt = await scene.begin();
      await scene.helve.plane.disconnect(scene.helve.admin, attempt.id);
      expect((await scene.back(attempt.browser, good(attempt))).status).toBe(400);
      expect([liar.tokenRequests.length, await scene.status(attempt.id)]).toEqual([0, 'revoked']);
    },
  ],
  [
    'removed while the person is at the provider',
    async () => {
      const attempt = await scene.begin();
      await scene.helve.plane.removeConnection(scene.helve.admin, attempt.id);
      expect((await scene.back(attempt.browser, good(attempt))).status).toBe(400);
      expect(liar.tokenRequests).toEqual([]);
    },
  ],
  [
    'the kill switch, while the token endpoint takes its time',
    async () => {
      const attempt = await scene.begin();
      const asked = new Promise<() => void>((resolve) => {
        liar.answer = (response) => resolve(() => truthful(response));
      });
      const answer = scene.back(attempt.browser, good(attempt));
      const release = await asked;
      await scene.helve.plane.disconnectAll(scene.helve.admin);
      release();
      expect((await answer).status).toBe(400);
      expect(await scene.status(attempt.id)).toBe('revoked');
    },
  ],
  [
    'the kill switch, while an account that worked is asked who it is',
    async () => {
      const { id, answer } = await scene.signIn();
      expect(answer.status).toBe(200);
      const again = await scene.begin({ id });
      const asked = new Promise<() => void>((resolve) => {
        liar.answer = (response) => resolve(() => truthful(response));
      });
      const second = scene.back(again.browser, good(again));
      const release = await asked;
      await scene.helve.plane.disconnect(scene.helve.admin, id);
      release();
      expect((await second).status).toBe(400);
      // What worked before does not come back either.
      expect(await scene.status(id)).toBe('revoked');
    },
  ],
  [
    'another person signs in to an account that has grants',
    async () => {
      const { id } = await scene.signIn();
      const slug = await scene.grant(id);
      liar.account = 'mallory';
      const { answer } = await scene.signIn({ id });
      expect(answer.status).toBe(400);
      expect(answer.page).toContain('ada@example.com');
      liar.account = 'ada';
      expect(await scene.helve.call(`${slug}__who_am_i`)).toMatchObject({ ok: true, output: { sub: 'ada' } });
    },
  ],
  [
    'another person’s tokens, from elsewhere and unchecked',
    async () => {
      const { id } = await scene.signIn();
      liar.account = 'mallory';
      const credentials = { access_token: 'tokens-of-mallory-01' };
      const connect = scene.helve.plane.connect(scene.helve.admin, id, { credentials, check: false });
      await expect(connect).rejects.toThrow(/is the account ada@example.com, but this is mallory/);
    },
  ],
];

describe.each([
  ['states', states],
  ['browsers', browsers],
  ['codes and issuers', codes],
  ['pages', pages],
  ['turns of events', turns],
])('%s', (_group, rows) => {
  test.each(rows.map(([name, run]) => ({ name, run })))('R-oauth: $name', ({ run }) => run());
});

test('R-oauth: nothing of it is in stored data or reports', async () => {
  const everything = await scene.everything();
  expect(everything).toContain('connection.connected');
  expect(everything).not.toContain(code);
  expect(everything).not.toMatch(/(?:access|refresh)-token-\d/);
  expect(everything).not.toContain(liar.clientSecret);
});
