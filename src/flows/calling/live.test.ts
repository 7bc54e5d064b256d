/** Who may follow a running call, and whose call it counts as. */
import { expect, test } from 'vitest';
import type { Principal } from '../../domain/principal.js';
import { createLiveExecutions } from './live.js';

const agent: Principal = { kind: 'agent', id: 'a1', name: 'scout', workspaceId: 'w', permissions: [] };
const ada = { kind: 'user', id: 'u1', name: 'Ada' } as const;
const auditor: Principal = { ...agent, kind: 'user', id: 'u9', permissions: ['audit:read'] };
const { signal } = new AbortController();

test('R-stream: a call is followed by its caller and by those who may read the record, in its workspace', () => {
  const live = createLiveExecutions();
  live.started(agent, 'e1', 'send', new Date());
  const follow = (principal: Principal, id = 'e1') => live.follow(principal, id, signal)?.tool;
  expect([follow(agent), follow(auditor)]).toEqual(['send', 'send']);
  expect([
    follow({ ...agent, id: 'a2' }),
    follow({ ...agent, workspaceId: 'v' }),
    follow({ ...auditor, workspaceId: 'v' }),
    follow(agent, 'e2'),
  ]).toEqual([undefined, undefined, undefined, undefined]);
});

test('R-stream: a call is one’s own only as the same principal, and for the same person', () => {
  const live = createLiveExecutions();
  const caller: Principal = { ...agent, onBehalfOf: ada };
  live.started(caller, 'e1', 'send', new Date());
  const own = (principal: Principal) => live.follow(principal, 'e1', signal)?.own;
  expect(own(caller)).toBe(true);
  for (const other of [
    agent,
    { ...caller, onBehalfOf: { ...ada, id: 'u2' } },
    { ...caller, kind: 'api_key' as const },
    { ...caller, id: 'a2', permissions: ['audit:read' as const] },
  ])
    expect(own(other)).toBe(false);
});
