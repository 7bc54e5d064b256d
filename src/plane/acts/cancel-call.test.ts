/** Stopping a running call: who may, in which process, and what is recorded. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { agentPrincipal, allPermissions, type Principal } from '../../domain/principal.js';
import { createHelve, type Helve } from '../../helve.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';

let folder: string;
let helve: TestHelve;
let other: Helve;
/** Resolves when the tool runs. */
let entered: Promise<void>;
let aborted: boolean;
let finish: () => void;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'helve-cancel-'));
  const database = join(folder, 'helve.db');
  aborted = false;
  let enter: () => void = () => undefined;
  entered = new Promise((resolve) => {
    enter = resolve;
  });
  const execute = async (_input: unknown, { signal }: { signal: AbortSignal }) => {
    await new Promise<void>((resolve) => {
      finish = resolve;
      signal.addEventListener('abort', () => {
        aborted = true;
        resolve();
      });
      enter();
    });
    return {};
  };
  const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
  const tools = [testTool({ name: 'slow', execute }), testTool({ name: 'look', annotations: reads, execute })];
  helve = await createTestHelve({ database, nativeToolkits: [], tools });
  other = await createHelve({ database, nativeToolkits: [], tools });
});
afterEach(async () => {
  finish?.();
  await Promise.all([helve.close(), other.close()]);
  rmSync(folder, { recursive: true, force: true });
});

async function begin(tool: string, principal?: Principal) {
  let id = '';
  const onStart = (executionId: string) => (id = executionId);
  const result = helve.call(tool, {}, { onStart, ...(principal && { principal }) });
  await entered;
  return { id, result };
}
const rowsOf = async (id: string) => (await helve.audited()).filter(({ executionId }) => executionId === id);

test.each([
  'here',
  'in another process',
])('R-audit: a running call is stopped %s, and both rows are recorded', async (where) => {
  const { id, result } = await begin('slow');
  const { plane } = where === 'here' ? helve : other;
  await plane.cancelCall(helve.admin, id);
  expect(await result).toMatchObject({
    ok: false,
    error: { code: 'outcome_unknown', details: { reason: 'cancelled' } },
  });
  expect(aborted).toBe(true);
  const rows = await rowsOf(id);
  expect(rows.map(({ type }) => type)).toEqual(['execution.started', 'execution.stop_requested', 'execution.finished']);
  expect(rows[1]?.actor.id).toBe(helve.admin.id);
  await expect(plane.cancelCall(helve.admin, id)).rejects.toMatchObject({ code: 'conflict' });
  expect(await rowsOf(id)).toHaveLength(3);
});

test('R-audit: a call that announces nothing is stopped by the process that makes it', async () => {
  const { id, result } = await begin('look');
  await expect(other.plane.cancelCall(helve.admin, id)).rejects.toMatchObject({ code: 'not_found' });
  await helve.plane.cancelCall(helve.admin, id);
  expect(await result).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  expect((await rowsOf(id)).map(({ type }) => type)).toContain('execution.stop_requested');
});

test('attack: others do not stop a call, and leave no row', async () => {
  const { id, result } = await begin('slow');
  const rival = agentPrincipal(await helve.plane.createAgent(helve.admin, { slug: 'rival' }), helve.workspaceId);
  const { principal: stranger } = await helve.plane.redeemAdminLink(
    await helve.adminLink((await helve.ensureWorkspace('elsewhere')).workspaceId),
  );
  const without = (permission: string): Principal => ({
    ...helve.admin,
    permissions: allPermissions.filter((one) => one !== permission),
  });
  const refused = [
    [rival, 'not_found'],
    [stranger, 'not_found'],
    [without('tools:call'), 'forbidden'],
    [without('agents:act'), 'forbidden'],
    [without('audit:read'), 'not_found'],
  ] as const;
  for (const [by, code] of refused)
    for (const { plane } of [helve, other]) await expect(plane.cancelCall(by, id)).rejects.toMatchObject({ code });
  expect(aborted).toBe(false);
  expect((await rowsOf(id)).map(({ type }) => type)).toEqual(['execution.started']);
  // The control: the call's own caller stops it.
  await other.plane.cancelCall(helve.agent, id);
  expect(await result).toMatchObject({ ok: false });
  expect(aborted).toBe(true);
});

test('attack: what an agent does for one person is not stopped when it acts for another one', async () => {
  const actingFor = (id: string): Principal => ({ ...helve.agent, onBehalfOf: { kind: 'user', id, name: id } });
  const { id, result } = await begin('slow', actingFor('ann'));
  for (const by of [actingFor('ben'), helve.agent])
    for (const { plane } of [helve, other])
      await expect(plane.cancelCall(by, id)).rejects.toMatchObject({ code: 'not_found' });
  expect(aborted).toBe(false);
  await other.plane.cancelCall(actingFor('ann'), id);
  expect(await result).toMatchObject({ ok: false });
});
