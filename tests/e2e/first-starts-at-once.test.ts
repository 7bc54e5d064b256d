/** Simultaneous first starts on one empty store: each is ready, and together they created one agent and one token. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createHelve } from '../../src/helve.js';
import { startPostgres } from '../../src/testing/postgres.js';
import { testTool } from '../../src/testing/test-helve.js';

const rounds = 4;
const server = await startPostgres();
const folder = await mkdtemp(join(tmpdir(), 'helve-first-start-'));
const vaultKeys = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const declared = 'agents:\n  - name: helper\n    tools: [custom.echo]\n';

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

async function startAtOnce(database: string, config: string) {
  const options = { database, vaultKeys, config, nativeToolkits: [], tools: [testTool({ name: 'echo' })] };
  const helves = await Promise.all(Array.from({ length: 3 }, () => createHelve(options)));
  const setUps = await Promise.all(helves.map((helve) => helve.setUp()));
  const answers = await Promise.all(
    helves.map((helve) =>
      helve.execute({ principal: { agent: setUps[0]?.firstAgent ?? '' }, tool: 'custom.echo', input: {} }),
    ),
  );
  await Promise.all(helves.map((helve) => helve.close()));
  return { setUps, answers };
}

describe('simultaneous first starts', () => {
  test.each([
    ['PostgreSQL', '', () => server.url()],
    ['PostgreSQL, with an agent of helve.yaml', declared, () => server.url()],
    ['SQLite', '', async () => join(await mkdtemp(join(folder, 'store-')), 'helve.db')],
  ])(
    `R-cli: ${rounds} times on an empty store: one workspace, one agent, one token (%s)`,
    async (_, config, open) => {
      for (let round = 1; round <= rounds; round += 1) {
        const { setUps, answers } = await startAtOnce(await open(), config);
        expect(new Set(setUps.map(({ workspaceId, firstAgent }) => `${workspaceId} ${firstAgent}`)).size).toBe(1);
        expect(setUps.filter(({ created }) => created)).toHaveLength(1);
        expect(setUps.filter(({ firstToken }) => firstToken !== undefined)).toHaveLength(1);
        expect(answers.map(({ ok }) => ok)).toEqual([true, true, true]);
      }
    },
    120_000,
  );
});
