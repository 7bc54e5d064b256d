import { expect, test } from 'vitest';
import type { Principal } from '../../../domain/principal.js';
import { lacksScope } from './required-scope.js';

const sees = { permissions: ['tools:read'] } as unknown as Principal;
const uses = { permissions: ['tools:read', 'tools:call'] } as unknown as Principal;
const post = (body: string) => new Request('http://localhost/mcp', { method: 'POST', body });

test.each([
  '{"method":"tools/call"}',
  '[{"method":"ping"},{"method":"tools/call"}]',
  '{"method":"not known"}',
  '{"method":3}',
  '{}',
  'null',
  '"ping"',
  '3',
  'no JSON',
])('R-mcp-server: a caller that may only see the tools may not send %s', async (body) => {
  expect(await lacksScope(sees, post(body))).toBe(true);
  expect(await lacksScope(uses, post(body))).toBe(false);
});

test.each([
  '{"method":"tools/list"}',
  '[{"method":"initialize"},{"method":"ping"}]',
])('R-mcp-server: a caller that may only see the tools may send %s, and open a stream', async (body) => {
  expect(await lacksScope(sees, post(body))).toBe(false);
  expect(await lacksScope(sees, new Request('http://localhost/mcp'))).toBe(false);
});
