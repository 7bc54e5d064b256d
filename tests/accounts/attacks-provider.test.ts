/**
 * Attacks that need an honest provider: other people's codes and verifiers, two providers that are confused, and what stays
 * in the store. Includes the rows of the list of attacks.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readAttacks } from '../data/attacks.js';
import { callbackUrl, openAttackScene, publicUrl, type Scene } from './support/attack-scene.js';
import { type Liar, startLiar, truthful } from './support/liar.js';
import { startIssuer, type TestIssuer } from './support/oidc.js';

let issuer: TestIssuer;
let liar: Liar;
let scene: Scene;
let lied: Scene;
let dataDir: string;

beforeAll(async () => {
  [issuer, liar] = await Promise.all([startIssuer(callbackUrl), startLiar()]);
  dataDir = await mkdtemp(join(tmpdir(), 'helve-attacks-'));
  scene = await openAttackScene(issuer.url, issuer.config('vendor'), { dataDir });
  lied = await openAttackScene(liar.url, liar.config('vendor'));
});
afterAll(async () => {
  await Promise.all([scene.close(), lied.close()]);
  await Promise.all([issuer.close(), liar.close(), rm(dataDir, { recursive: true, force: true })]);
});
beforeEach(() => {
  Object.assign(issuer, { account: 'ada', tokenDelayMs: 0 });
  issuer.tokenRequests.length = 0;
  Object.assign(liar, { answer: truthful, account: 'ada' });
  liar.tokenRequests.length = 0;
});

/** Continues at the provider until it sends the browser back, and stops there. */
async function comeBack(attempt: Awaited<ReturnType<Scene['begin']>>): Promise<URLSearchParams> {
  const { url } = await attempt.browser.go(attempt.authorization.href, /\/oauth\/callback\?/);
  return new URL(url).searchParams;
}

/** By name of the row: the attack, and what must be true afterwards. */
const acts: Readonly<Record<string, () => Promise<void>>> = {
  async 'state-reuse'() {
    const attempt = await scene.begin();
    const callback = await comeBack(attempt);
    expect((await scene.back(attempt.browser, callback.toString())).status).toBe(200);
    expect((await scene.back(attempt.browser, callback.toString())).status).toBe(400);
    expect(issuer.tokenRequests).toEqual([{ grant: 'authorization_code', status: 200 }]);
    expect(await scene.status(attempt.id)).toBe('active');
  },
  async 'state-cross-workspace'() {
    const attempt = await scene.begin();
    const callback = await comeBack(attempt);
    const { session } = await scene.helve.plane.redeemAdminLink(await scene.helve.adminLink(scene.other.workspaceId));
    const cookie = `${attempt.browser.cookies(callbackUrl)}; helve_session=${session}`;
    const { status } = await scene.back(scene.browser(), callback.toString(), { headers: { cookie } });
    expect(status).toBe(400);
    expect(issuer.tokenRequests).toEqual([]);
    expect(await scene.helve.plane.connections(scene.other)).toEqual([]);
  },
  async 'pkce-verifier-reuse'() {
    const [one, two] = [await lied.begin(), await lied.begin()];
    const challenges = [one, two].map(({ authorization }) => authorization.searchParams.get('code_challenge'));
    expect(new Set(challenges).size).toBe(2);
    await Promise.all([one, two].map(({ browser, state }, n) => lied.back(browser, { code: `code-${n}`, state })));
    const sent = [0, 1].map((n) => liar.tokenRequests.find(({ form }) => form.get('code') === `code-${n}`)?.form);
    for (const [n, form] of sent.entries()) {
      const verifier = form?.get('code_verifier') ?? '';
      expect(verifier).toMatch(/^[\w-]{43,128}$/);
      const { createHash } = await import('node:crypto');
      expect(createHash('sha256').update(verifier).digest('base64url')).toBe(challenges[n]);
    }
  },
  async 'code-replay'() {
    const { id, answer } = await lied.signIn();
    expect(answer.status).toBe(200);
    const before = await lied.helve.plane.connection(lied.helve.admin, id);
    const slug = await lied.grant(id);
    liar.answer = (response) =>
      void response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}');
    expect((await lied.signIn({ id })).answer.status).toBe(400);
    expect(await lied.helve.plane.connection(lied.helve.admin, id)).toEqual(before);
    expect((await lied.helve.call(`${slug}__who_am_i`)).ok).toBe(true);
  },
  async 'clickjack-consent'() {
    const attempt = await scene.begin();
    for (const query of [(await comeBack(attempt)).toString(), '']) {
      const { headers } = await scene.back(attempt.browser, query);
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('x-frame-options')).toBe('DENY');
    }
  },
  async 'callback-host-header'() {
    const id = await scene.add();
    const { redirectUrl = '' } = await scene.helve.plane.connect(scene.helve.admin, id, {});
    const ask = (headers: Record<string, string>) =>
      scene.app.request(redirectUrl, { method: 'POST', headers: { origin: publicUrl, ...headers } });
    expect((await ask({ host: 'evil.example' })).status).toBe(403);
    const { headers: sent } = await ask({ host: '127.0.0.1:4870', 'x-forwarded-host': 'evil.example' });
    expect(new URL(sent.get('location') ?? '').searchParams.get('redirect_uri')).toBe(callbackUrl);
  },
  async 'callback-xss'() {
    const attempt = await scene.begin();
    const evil = '<script>alert(1)</script>';
    const query = { error: evil, error_description: evil, state: attempt.state, iss: issuer.url };
    const { page, headers } = await scene.back(attempt.browser, query);
    expect(page).toContain('&lt;script&gt;');
    expect(page).not.toContain('<script');
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'/);
  },
};

const rows = readAttacks<{ id: string; side: string; name: string }>('oauth-attacks').filter(
  ({ side }) => side === 'client',
);

describe('the list of attacks on clients', () => {
  test('R-oauth: every row of it has an act here', () => {
    expect(rows.map(({ name }) => name).filter((name) => !Object.hasOwn(acts, name))).toEqual([]);
  });
  test.each(
    Object.keys(acts).map((name) => [name, rows.find((row) => row.name === name)?.id ?? 'own']),
  )('R-oauth: %s (%s)', async (name) => acts[name]?.());
});

describe('codes and verifiers at an honest provider', () => {
  test('R-oauth: the code of an attacker’s own sign-in is useless in a victim’s', async () => {
    issuer.account = 'mallory';
    const attacker = await scene.begin();
    const stolen = await comeBack(attacker);
    issuer.account = 'ada';
    const victim = await scene.begin();
    const code = stolen.get('code') ?? '';
    const { status } = await scene.back(victim.browser, { code, state: victim.state, iss: issuer.url });
    expect(status).toBe(400);
    expect(issuer.tokenRequests).toEqual([{ grant: 'authorization_code', status: 400 }]);
    expect(await scene.status(victim.id)).toBe('error');
    expect(await scene.reason(victim.id)).toContain('invalid_grant');
  });

  test('R-oauth: a leaked code is useless without the verifier, which was never in an address', async () => {
    const attempt = await scene.begin();
    expect(attempt.authorization.search).not.toContain('code_verifier');
    const callback = await comeBack(attempt);
    const basic = Buffer.from(`${issuer.clientId}:${issuer.clientSecret}`).toString('base64');
    const body = { grant_type: 'authorization_code', code: callback.get('code') ?? '', redirect_uri: callbackUrl };
    const guesses: Record<string, string>[] = [
      {},
      { code_verifier: attempt.authorization.searchParams.get('code_challenge') ?? '' },
    ];
    for (const guess of guesses) {
      const response = await fetch(`${issuer.url}/token`, {
        method: 'POST',
        body: new URLSearchParams(Object.entries({ ...body, ...guess })),
        headers: { authorization: `Basic ${basic}` },
      });
      expect(response.status).toBe(400);
    }
  });

  test('R-oauth: states, verifiers and links are never the same and never short', async () => {
    const attempts = [];
    for (let n = 0; n < 12; n++) attempts.push(await lied.begin());
    const unlike = (values: (string | null)[]) => {
      expect(new Set(values).size).toBe(values.length);
      for (const value of values) expect(value ?? '').toMatch(/^[\w-]{43,}$/);
    };
    unlike(attempts.map(({ state }) => state));
    unlike(attempts.map(({ authorization }) => authorization.searchParams.get('code_challenge')));
    unlike(attempts.map(({ link }) => link.split('/').at(-1)?.replace('helve_connect_', '') ?? ''));
    unlike(attempts.map(({ browser }) => browser.cookies(callbackUrl).split('=')[1] ?? ''));
  });
});

describe('two providers that are mixed up', () => {
  test('R-oauth: a code of one provider does not go to the other', async () => {
    const config = `${liar.config('vendor', [`issuer: ${liar.url}`])}`;
    const both = await openAttackScene(liar.url, config);
    try {
      const honest = await scene.begin();
      const callback = await comeBack(honest);
      const attempt = await both.begin();
      const mixed = { code: callback.get('code') ?? '', iss: callback.get('iss') ?? '', state: attempt.state };
      expect(mixed.iss).toBe(issuer.url);
      expect((await both.back(attempt.browser, mixed)).status).toBe(400);
      expect(liar.tokenRequests).toEqual([]);
      expect(issuer.tokenRequests).toEqual([]);
    } finally {
      await both.close();
    }
  });

  test('R-oauth: a connection’s scheme decides the provider, not the callback', async () => {
    const attempt = await lied.begin();
    const query = {
      code: 'c',
      state: attempt.state,
      provider: 'google',
      client_id: 'evil',
      token_endpoint: 'https://evil.example',
    };
    expect((await lied.back(attempt.browser, query)).status).toBe(200);
    expect(liar.tokenRequests).toHaveLength(1);
    expect(liar.tokenRequests[0]?.form.get('redirect_uri')).toBe(callbackUrl);
  });
});

describe('what a sign-in leaves behind', () => {
  test('R-vault: the store has no state, link, cookie, verifier, code or token in it, as they were; a control shows that it would be seen', async () => {
    const attempt = await scene.begin();
    const ticket = attempt.link.split('/').at(-1) ?? '';
    const cookie = attempt.browser.cookies(callbackUrl).split('=')[1] ?? '';
    const pending = await onDisk();
    const callback = await comeBack(attempt);
    expect((await scene.back(attempt.browser, callback.toString())).status).toBe(200);
    const done = await onDisk();
    const secrets = [attempt.state, ticket, cookie, callback.get('code') ?? '', issuer.clientSecret];
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(20);
      expect(pending).not.toContain(secret);
      expect(done).not.toContain(secret);
    }
    expect(done).toContain(attempt.id);
  });

  async function onDisk(): Promise<string> {
    const names = (await readdir(dataDir)).filter((name) => name !== 'vault-keys.json');
    const texts = await Promise.all(names.map((name) => readFile(join(dataDir, name), 'latin1')));
    return texts.join('\n');
  }
});
