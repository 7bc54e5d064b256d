/**
 * One renewal, however many processes: four of them with fifty calls each on an expired token, at a provider that
 * rotates refresh tokens and revokes the family when one is reused. And what a kill between the provider's answer and our
 * commit leaves behind. A long run takes slower endpoints and 200 kills.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rounds } from '../../src/testing/rounds.js';
import { type Caller, openScene, publicUrl, type Scene } from './support/callers.js';
import { startIssuer, type TestIssuer } from './support/oidc.js';

const delays = rounds([100, 2_500], [100, 2_500, 15_000, 40_000]);
const kills = rounds(2, 200);

let issuer: TestIssuer;
let scene: Scene;

beforeAll(async () => {
  issuer = await startIssuer(`${publicUrl}/oauth/callback`);
});
afterAll(() => issuer.close());
beforeEach(async () => {
  Object.assign(issuer, { tokenDelayMs: 0, killOnAnswer: undefined });
  scene = await openScene(issuer);
  await scene.signIn();
  issuer.tokenRequests.length = 0;
});
afterEach(() => scene.close());

describe('many processes, one refresh', () => {
  test.each(delays)('R-oauth: 4 processes, 50 calls each, a token endpoint of %i ms', async (delay) => {
    const callers = await Promise.all(Array.from({ length: 4 }, () => scene.caller()));
    issuer.tokenDelayMs = delay;
    const reports = await Promise.all(callers.map((caller) => caller.call(50)));
    expect(reports.flatMap(({ failures }) => failures)).toEqual([]);
    expect(reports.reduce((sum, { answered }) => sum + answered, 0)).toBe(200);
    expect(issuer.tokenRequests).toEqual([{ grant: 'refresh_token', status: 200 }]);
    expect(await scene.status()).toBe('active');
    await Promise.all(callers.map((caller) => caller.stop()));
  }, 120_000);
});

describe('killed between the provider’s answer and the commit', () => {
  test(`R-oauth: ${kills} times: no loop, and a broken connection is marked within one call`, async () => {
    const ends = { inaccessible: 0, answered: 0 };
    let spare: Promise<Caller> = scene.caller();
    for (let kill = 0; kill < kills; kill++) {
      const victim = await spare;
      const witness = await scene.caller();
      spare = scene.caller();
      const died = new Promise((resolve) => victim.process.once('exit', resolve));
      issuer.killOnAnswer = () => victim.process.kill('SIGKILL');
      await victim.call(3).catch(() => undefined);
      await died;
      issuer.tokenRequests.length = 0;
      const { answered, failures } = await witness.call(1);
      if (answered === 1) ends.answered += 1;
      else {
        expect(failures[0]).toMatchObject({ code: 'connection_inaccessible' });
        ends.inaccessible += 1;
        expect(await scene.status()).toBe('expired');
      }
      const asked = issuer.tokenRequests.length;
      expect(asked).toBeLessThanOrEqual(1);
      const again = await witness.call(3);
      expect(again.answered).toBe(answered === 1 ? 3 : 0);
      expect(issuer.tokenRequests.length).toBe(asked);
      await witness.stop();
      await scene.signIn();
    }
    await (await spare).stop();
    expect(ends.inaccessible + ends.answered).toBe(kills);
    expect(ends.inaccessible).toBeGreaterThan(0);
  }, 3_600_000);
});
