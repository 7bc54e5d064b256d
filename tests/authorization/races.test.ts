/**
 * A code or refresh token that its own program sends twice: a retry, or two of its processes at the same time. Exactly one
 * gets tokens, which stay valid; the others get an error. A late second use, or one by another client, revokes everything.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres, type TestPostgres } from '../../src/testing/postgres.js';
import { endAll, rowsOf } from '../mcp/real-door.js';
import {
  callback,
  codeForm,
  type Ground,
  getCode,
  getTokens,
  knock,
  openGround,
  refresh,
  register,
  type Told,
  toToken,
} from './ground.js';

let postgres: TestPostgres;
let folder: string;
beforeAll(async () => {
  postgres = await startPostgres();
  folder = await mkdtemp(join(tmpdir(), 'helve-races-'));
}, 60_000);
afterAll(async () => {
  await endAll();
  await postgres.stop();
  await rm(folder, { recursive: true });
});

const stores: Readonly<Record<string, () => Promise<string>>> = {
  SQLite: async () => join(folder, 'helve.db'),
  PostgreSQL: () => postgres.storeUrl(),
};

describe.each(Object.entries(stores))('R-mcp-server: on %s', (_, database) => {
  let ground: Ground;
  beforeAll(async () => {
    ground = await openGround({ database: await database() });
  });

  const isIn = async (token: string) => (await knock(ground.alice.address, token)).status === 200;
  const endings = async () => (await rowsOf(ground, 'authorization.ended')).length;

  async function expectOneWinner(send: () => Promise<Told>): Promise<Told['body']> {
    const before = await endings();
    const told = await Promise.all(Array.from({ length: 10 }, send));
    const won = told.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    for (const { body } of told.filter(({ status }) => status !== 200))
      expect(body).toMatchObject({
        error: 'invalid_grant',
        error_description: expect.stringContaining('a moment ago'),
      });
    expect(await endings()).toBe(before);
    expect(await isIn(won[0]!.body.access_token)).toBe(true);
    return won[0]!.body;
  }

  it('R-mcp-server: of ten parallel uses of one code exactly one gets tokens, which stay valid', async () => {
    for (let round = 0; round < 5; round++) {
      const code = await getCode(ground);
      const { refresh_token } = await expectOneWinner(() => toToken(ground, codeForm(ground, code)));
      expect((await refresh(ground, refresh_token)).status).toBe(200);
    }
  });

  it('R-mcp-server: of ten parallel uses of one refresh token exactly one gets tokens, which stay valid', async () => {
    let { refresh_token } = await getTokens(ground);
    for (let round = 0; round < 5; round++) {
      const used = refresh_token;
      ({ refresh_token } = await expectOneWinner(() => refresh(ground, used)));
    }
  });

  it('R-mcp-server: a retry within seconds is refused and revokes nothing', async () => {
    const code = await getCode(ground);
    const first = (await toToken(ground, codeForm(ground, code))).body;
    expect((await toToken(ground, codeForm(ground, code))).status).toBe(400);
    const second = (await refresh(ground, first.refresh_token)).body;
    ground.helve.advance(9_000);
    expect((await refresh(ground, first.refresh_token)).body.error_description).toContain('a moment ago');
    expect(await isIn(second.access_token)).toBe(true);
  });

  it('R-mcp-server: a late second use of a code or a refresh token ends all that came of it', async () => {
    for (const what of ['the code', 'a refresh token']) {
      const code = await getCode(ground);
      const first = (await toToken(ground, codeForm(ground, code))).body;
      const second = (await refresh(ground, first.refresh_token)).body;
      expect(await isIn(second.access_token)).toBe(true);
      // By the clock of the store, which is PostgreSQL's own there.
      const storage = ground.helve.storage as { now: () => Promise<Date> };
      const { now } = storage;
      storage.now = async () => new Date((await now()).getTime() + 11_000);
      const again =
        what === 'the code' ? toToken(ground, codeForm(ground, code)) : refresh(ground, first.refresh_token);
      expect((await again).body.error).toBe('invalid_grant');
      storage.now = now;
      expect(await isIn(second.access_token)).toBe(false);
      expect((await refresh(ground, second.refresh_token)).status).toBe(400);
      expect((await rowsOf(ground, 'authorization.ended')).at(-1)?.body).toMatchObject({
        reason: `${what} was sent again`,
      });
    }
  });

  it('R-mcp-server: a second use by another program, or of a code without its verifier, revokes everything immediately', async () => {
    const stranger = await register(ground, [callback], 'Another');
    const verifier = 'x'.repeat(43);
    const thefts: ((used: { code: Parameters<typeof codeForm>[1]; token: string }) => Promise<Told>)[] = [
      ({ token }) => refresh(ground, token, { client_id: stranger }),
      ({ code }) => toToken(ground, codeForm(ground, code, { client_id: stranger })),
      ({ code }) => toToken(ground, codeForm(ground, { ...code, verifier })),
    ];
    for (const steal of thefts) {
      const code = await getCode(ground);
      const first = (await toToken(ground, codeForm(ground, code))).body;
      const second = (await refresh(ground, first.refresh_token)).body;
      expect(await isIn(second.access_token)).toBe(true);
      expect((await steal({ code, token: first.refresh_token })).status).toBe(400);
      expect(await isIn(second.access_token)).toBe(false);
    }
  });
});
