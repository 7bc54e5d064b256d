/** A stored result is read under the present rules, for the exact tool and account that produced it. */
import { expect, test } from 'vitest';
import type { Connection } from '../../domain/connection.js';
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import type { Tool } from '../../domain/tool.js';
import { decideKept } from './kept-results.js';

const tool = (toolkit: string, name: string) =>
  ({ id: { toolkit, name }, scopes: [], risk: 'read', highRisk: false }) as unknown as Tool;
const account = { id: 'c1', toolkit: 'mail', status: 'active', visibility: 'private', ownerId: 'ada' } as Connection;
const agent = { kind: 'agent', id: 'a1', name: 'scout', workspaceId: 'w' } as const;
const user = (id: string) => ({ kind: 'user', id, name: id, workspaceId: 'w' }) as const;
const kept = { toolkit: 'mail', tool: 'read', connectionId: 'c1', input: {} };

function decide(
  caller: Parameters<typeof decideKept>[1],
  result: object = kept,
  of: Partial<WorkspaceConfiguration> = {},
  entries = [{ name: 'work__read', tool: tool('mail', 'read'), connectionId: 'c1' }],
) {
  const grants = [
    { id: 'g', agentId: 'a1', toolkit: 'mail', connectionId: 'c1', tools: ['read'], limits: {}, config: {} },
  ];
  const configuration = { toolkits: [], connections: [account], pins: [], policies: [], agents: [], grants, ...of };
  const parts = {
    configurations: { getFresh: async () => configuration, get: async () => configuration },
    catalogue: async () => ({
      findIn: (toolkit: string, connectionId: string | undefined, name: string) =>
        entries.find(
          ({ tool: { id }, connectionId: own }) => id.toolkit === toolkit && own === connectionId && id.name === name,
        ),
    }),
  };
  return decideKept(parts as never, caller, result as never);
}

test.each([
  ['by its owner', user('ada'), 'allow'],
  ['by another person', user('bo'), 'tool.unknown'],
  ['by the agent, that acts for the owner', { ...agent, onBehalfOf: user('ada') }, 'allow'],
  ['by the agent, acting for no one', agent, 'connection.visibility'],
  ['by another agent', { ...agent, id: 'a2' }, 'tool.unknown'],
] as const)('leak: a result of a private account is read %s: %s', async (_who, caller, expected) => {
  const { effect, rule } = await decide(caller);
  expect(effect === 'allow' ? effect : rule).toBe(expected);
});

test('leak: access to another tool, toolkit or account does not open it', async () => {
  for (const other of [{ toolkit: 'other' }, { tool: 'send' }, { connectionId: 'c2' }, { connectionId: undefined }])
    expect(await decide(user('ada'), { ...kept, ...other })).toMatchObject({ rule: 'tool.unknown' });
  expect(await decide(user('ada'), kept, {}, [])).toMatchObject({ rule: 'tool.unknown' });
});

test('leak: a result whose arguments a policy denies is not read, and one with other arguments is', async () => {
  const when = { arguments: { properties: { box: { const: 'x' } }, required: ['box'] } };
  const of = { policies: [{ id: 'p', effect: 'deny', when }] } as Partial<WorkspaceConfiguration>;
  expect(await decide(user('ada'), { ...kept, input: { box: 'x' } }, of)).toMatchObject({ rule: 'policy:p' });
  expect(await decide(user('ada'), { ...kept, input: { box: 'y' } }, of)).toMatchObject({ effect: 'allow' });
});
