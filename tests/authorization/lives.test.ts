/** How long an authorised program stays authorised: no longer than the key behind the person's session. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allPermissions } from '../../src/domain/principal.js';
import { endAll } from '../mcp/real-door.js';
import { codeForm, type Ground, getCode, getTokens, knock, openGround, refresh, toToken } from './ground.js';

let ground: Ground;
beforeAll(async () => {
  ground = await openGround();
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
