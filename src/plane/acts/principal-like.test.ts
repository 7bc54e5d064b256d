/** How code of this process names the caller. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';
import type { PrincipalLike } from './principal-like.js';

let helve: TestHelve;
beforeEach(async () => {
  const tools = [testTool({ name: 'look' }), testTool({ name: 'burn' })];
  helve = await createTestHelve({ nativeToolkits: [], tools, granted: ['look'], workspace: 'house' });
});
afterEach(() => helve.close());

const listed = async (principal: PrincipalLike) => (await helve.tools({ principal })).map(({ name }) => name);

test('R-grants: by a principal, a token, an agent, or as the admin of a workspace', async () => {
  const { secret } = await helve.plane.issueAgentToken(helve.admin, 'tester', {});
  for (const agent of [helve.agent, secret, { agent: 'tester', workspace: 'house' }])
    expect(await listed(agent)).toEqual(['look']);
  expect(await listed({ user: 'admin', workspace: 'house' })).toEqual(['look', 'burn']);
});

test('R-grants: a workspace that is not there is named, and so is what creates it', async () => {
  for (const who of [{ agent: 'tester' }, { user: 'admin' }] as const)
    await expect(listed(who)).rejects.toMatchObject({
      code: 'not_found',
      message: 'There is no workspace "default"',
      hint: 'Create it with helve.ensureWorkspace().',
    });
  await expect(listed('helve_wrong')).rejects.toMatchObject({ code: 'unauthenticated' });
  await expect(listed({ agent: 'nobody', workspace: 'house' })).rejects.toMatchObject({ code: 'not_found' });
});
