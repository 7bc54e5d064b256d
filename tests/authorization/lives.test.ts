/** How long an authorised program stays authorised: no longer than the key behind the person's session. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { allPermissions } from '../../src/domain/principal.js';
import { testTool } from '../../src/testing/index.js';
import { endAll } from '../mcp/real-door.js';
import { codeForm, type Ground, getCode, getTokens, knock, openGround, postForm, refresh, toToken } from './ground.js';

const guarded = vi.fn(async () => ({}));
let ground: Ground;
beforeAll(async () => {
  ground = await openGround({ tools: [testTool({ name: 'guarded', highRisk: true, execute: guarded })] });
});
afterAll(endAll);

/** As someone who has only the key signs in: with a link that it requests. */
async function signInWith(key: string): Promise<Ground> {
  const headers = { authorization: `Bearer ${key}` };
  const link = await fetch(`${ground.url}/api/admin-links`, { method: 'POST', headers });
  const { secret } = (await link.json()) as { secret: string };
  const { session } = await ground.helve.plane.redeemAdminLink(secret);
  return { ...ground, cookie: ground.cookie.replace(/=.*/, `=${session}`) };
}

const newKey = (more: { expiresInSeconds?: number } = {}) =>
  ground.helve.plane.createApiKey(ground.helve.admin, { permissions: allPermissions, ...more });

describe('R-rest: a program that was authorised in a session of an API key', () => {
  it('R-rest: loses its tokens when the key is revoked, and gets no new ones', async () => {
    const { secret, credential } = await newKey();
    const guest = await signInWith(secret);
    const [tokens, strangers] = [await getTokens(guest), await getTokens(ground)];
    const code = await getCode(guest);
    expect((await knock(ground.alice.address, tokens.access_token)).status).toBe(200);
    await ground.helve.plane.revokeCredential(ground.helve.admin, credential.id);
    expect((await knock(ground.alice.address, tokens.access_token)).status).toBe(401);
    expect((await refresh(ground, tokens.refresh_token)).status).toBe(400);
    expect((await toToken(ground, codeForm(ground, code))).status).toBe(400);
    expect((await refresh(ground, strangers.refresh_token)).status).toBe(200);
  });

  it('R-rest: is out when a key of 60 seconds is over', async () => {
    const { secret } = await newKey({ expiresInSeconds: 60 });
    const tokens = await getTokens(await signInWith(secret));
    ground.helve.advance(59_000);
    expect((await knock(ground.alice.address, tokens.access_token)).status).toBe(200);
    ground.helve.advance(2_000);
    expect((await knock(ground.alice.address, tokens.access_token)).status).toBe(401);
    expect((await refresh(ground, tokens.refresh_token)).status).toBe(400);
  });
});

describe('attack: what a program has started as an agent', () => {
  it.each([
    ['goes on if another program', false],
    ['makes no more calls, and nothing more is told of it, once the program', true],
  ])('R-durable-runs: %s is no longer authorised', async (_, isOwn) => {
    const { helve, alice } = ground;
    const { plane, admin } = helve;
    const [tokens, others] = [await getTokens(ground), await getTokens(ground)];
    const principal = await plane.authenticate(tokens.access_token, alice.address);
    const run = await plane.runCode(principal, { code: 'await custom.guarded({}); return "canary"' });
    const [wait] = run.waits;
    if (wait?.for !== 'approval') throw new Error('it does not wait for an approval');
    const events = plane.followRun(principal, run.id, AbortSignal.timeout(20_000))[Symbol.asyncIterator]();
    await events.next();
    const ended = { token: (isOwn ? tokens : others).refresh_token, client_id: ground.clientId };
    expect((await postForm(`${ground.url}/oauth/revoke`, ended)).status).toBe(200);
    guarded.mockClear();
    await plane.decideApproval(admin, wait.approvalId, 'approved', 'api');
    await expect.poll(async () => (await plane.getRun(admin, run.id)).finishedAt, { timeout: 10_000 }).toBeDefined();
    const error = { code: 'unauthenticated' };
    const end = isOwn ? { status: 'failed', error } : { status: 'succeeded', value: 'canary' };
    expect(await plane.getRun(admin, run.id)).toMatchObject(end);
    expect(guarded).toHaveBeenCalledTimes(isOwn ? 0 : 1);
    await (isOwn ? expect(events.next()).rejects.toMatchObject(error) : events.next());
  });
});
