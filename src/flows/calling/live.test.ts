/** Who may follow a running call, and whose call it counts as. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ToolResult } from '../../domain/execution.js';
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
  const readsRecord = { permissions: ['audit:read' as const] };
  for (const other of [agent, { ...caller, onBehalfOf: { ...ada, id: 'u2' } }]) {
    expect(own(other)).toBeUndefined();
    expect(own({ ...other, ...readsRecord })).toBe(false);
  }
  for (const other of [
    { ...caller, kind: 'api_key' as const },
    { ...caller, id: 'a2', ...readsRecord },
  ])
    expect(own(other)).toBe(false);
});

test('R-stream: the end of a call is the end of what its followers get', async () => {
  const live = createLiveExecutions();
  const { finished } = live.started(agent, 'e1', 'send', new Date());
  const events = live.follow(agent, 'e1', signal)?.events[Symbol.asyncIterator]();
  finished({ ok: true } as ToolResult, new Date());
  const next = () => Promise.race([events?.next(), setImmediate('waits')]);
  expect([await next(), await next()]).toMatchObject([{ value: { type: 'started' } }, { value: { type: 'finished' } }]);
  expect(await next()).toEqual({ done: true, value: undefined });
});
