/** A call whose answer was lost is made again with the account and the settings that it was begun with, or not at all. */
import { expect, test } from 'vitest';
import { HelveError } from '../../domain/errors.js';
import type { Run } from '../../domain/run.js';
import { vault } from '../../plane/acts/testing/vault-toolkit.js';
import { createTestHelve, testTool } from '../../testing/index.js';

test('attack: what was approved for one account is not made with another one that got its name', async () => {
  const acted: string[] = [];
  const act = testTool({
    name: 'act',
    highRisk: true,
    execute: async (_input, { connection }) => {
      acted.push((connection as unknown as { id: string }).id);
      if (acted.length === 1) throw new HelveError('outcome_unknown', 'Lost', { details: { reason: 'in_doubt' } });
      return {};
    },
  });
  const helve = await createTestHelve({
    nativeToolkits: [],
    toolkits: [{ ...vault, load: async () => [act] }],
    connections: [{ toolkit: 'vault', name: 'One', credentials: { token: 'first' } }],
  });
  const { plane, admin } = helve;
  const before = await plane.connection(admin, 'one');
  const until = async (id: string, isReached: (run: Run) => boolean): Promise<Run> => {
    for await (const event of plane.followRun(admin, id, AbortSignal.timeout(10_000)))
      if (event.type !== 'call' && isReached(event.run)) return event.run;
    throw new Error('not reached');
  };
  const { id, waits } = await plane.runCode(admin, { code: 'return await one.act({})' });
  const [wait] = waits;
  if (wait?.for !== 'approval') throw new Error('no approval');
  await plane.decideApproval(admin, wait.approvalId, 'approved', 'api');
  await until(id, ({ status }) => status === 'in_doubt');
  expect(acted).toEqual([before.id]);
  await plane.changeConnection(admin, 'one', { name: 'Former' });
  const after = await plane.addConnection(admin, { toolkit: 'vault', name: 'One' });
  expect(after.slug).toBe('one');
  await plane.connect(admin, after.id, { credentials: { token: 'second' } });
  await plane.decideRun(admin, id, { decision: 'not_happened', number: 1 });
  const ended = await until(id, ({ finishedAt }) => finishedAt !== undefined);
  expect(acted).toEqual([before.id]);
  expect(ended).toMatchObject({ status: 'failed', calls: [{ error: { code: 'conflict' } }] });
  await helve.close();
});

test('attack: what was approved under one tool_config is not made again under another', async () => {
  const acted: unknown[] = [];
  const act = testTool({
    name: 'act',
    highRisk: true,
    configSchema: { type: 'object', properties: { place: { type: 'string' } } },
    async execute(_input, { config }) {
      acted.push(config);
      if (acted.length % 2 === 1) throw new HelveError('outcome_unknown', 'Lost', { details: { reason: 'in_doubt' } });
      return {};
    },
  });
  const helve = await createTestHelve({ nativeToolkits: [], tools: [act] });
  const { plane, admin, agent } = helve;
  const configure = (place: string) =>
    plane.replaceGrants(admin, 'tester', [
      { toolkit: 'custom', tools: ['act'], limits: {}, config: { act: { place } } },
    ]);
  const until = async (id: string, isReached: (run: Run) => boolean): Promise<Run> => {
    for await (const event of plane.followRun(admin, id, AbortSignal.timeout(10_000)))
      if (event.type !== 'call' && isReached(event.run)) return event.run;
    throw new Error('not reached');
  };
  const doubtful = async (): Promise<string> => {
    await configure('staging');
    const { id, waits } = await plane.runCode(agent, { code: 'return await custom.act({})' });
    const [wait] = waits;
    if (wait?.for !== 'approval') throw new Error('no approval');
    await plane.decideApproval(admin, wait.approvalId, 'approved', 'api');
    await until(id, ({ status }) => status === 'in_doubt');
    return id;
  };
  // The control: under the same tool_config it is made again when a person says that it did not happen.
  const same = await doubtful();
  await plane.decideRun(admin, same, { decision: 'not_happened', number: 1 });
  expect(await until(same, ({ finishedAt }) => finishedAt !== undefined)).toMatchObject({ status: 'succeeded' });
  expect(acted).toEqual([{ place: 'staging' }, { place: 'staging' }]);
  const other = await doubtful();
  await configure('live');
  await plane.decideRun(admin, other, { decision: 'not_happened', number: 1 });
  expect(await until(other, ({ finishedAt }) => finishedAt !== undefined)).toMatchObject({
    status: 'failed',
    calls: [{ error: { code: 'conflict', message: expect.stringContaining('tool_config') } }],
  });
  expect(acted).toHaveLength(3);
  await helve.close();
});

test('attack: what was planned before another sign-in is not done with the account that signed in', async () => {
  const acted: unknown[] = [];
  const execute = async (input: unknown) => ({ calls: acted.push(input) });
  const act = testTool({ name: 'act', execute });
  const helve = await createTestHelve({
    nativeToolkits: [],
    toolkits: [{ ...vault, load: async () => [act] }],
    connections: [{ toolkit: 'vault', name: 'One', credentials: { token: 'first' } }],
  });
  const { plane, admin } = helve;
  const code = 'return await one.act({})';
  const follow = async (signsIn: boolean): Promise<Run> => {
    const { id } = await plane.runCode(admin, { code, mode: 'plan' });
    await plane.decideRun(admin, id, { decision: 'approve_plan' });
    helve.advance(1_000);
    if (signsIn) await plane.connect(admin, 'one', { credentials: { token: 'second' } });
    return plane.runCode(admin, { code, plan: id });
  };
  const refused = await follow(true);
  expect(acted).toEqual([]);
  expect(refused).toMatchObject({ status: 'failed', calls: [{ error: { code: 'conflict' } }] });
  expect(await follow(false)).toMatchObject({ status: 'succeeded' });
  expect(acted).toHaveLength(1);
  await helve.close();
});
