/** Which programs may submit a person's answer to their own calls. */
import { expect, test } from 'vitest';
import type { Principal } from '../domain/principal.js';
import { mayElicit } from './index.js';

const bare = { kind: 'agent', id: 'a1', name: 'scout', workspaceId: 'w', permissions: [] } as Principal;
const forAda: Principal = { ...bare, onBehalfOf: { kind: 'user', id: 'ada', name: 'Ada' } };
const forKey: Principal = { ...bare, onBehalfOf: { kind: 'api_key', id: 'k1', name: 'ci' } };
const key: Principal = { ...bare, kind: 'api_key' };
const mild = { risk: 'write', highRisk: false } as const;
const highRisk = { risk: 'write', highRisk: true } as const;
const destructive = { risk: 'destructive', highRisk: false } as const;
const off = { enabled: false, agents: ['scout'] };
const open = { enabled: true, agents: [] as string[] };
const named = { enabled: true, agents: ['scout'] };

test.each([
  ['an agent’s own token', bare, mild, open, undefined, false],
  ['a program that a person signed in to', forAda, mild, open, undefined, true],
  ['that program, for a high-risk call', forAda, highRisk, open, undefined, false],
  ['that program, for a destructive call', forAda, destructive, open, undefined, false],
  ['a program that a key let in', forKey, mild, open, undefined, false],
  ['an agent that the operator named', bare, highRisk, named, undefined, true],
  ['another agent than the one named', { ...bare, name: 'other' }, mild, named, undefined, false],
  ['a key by the name of the one named', key, mild, named, undefined, false],
  ['where the policy allows it', bare, destructive, open, true, true],
  ['where the policy forbids it, though the agent is named', forAda, mild, named, false, false],
  ['where it is off, though all else allows it', forAda, mild, off, true, false],
] as const)('R-approval: the answer of %s', (_who, principal, tool, settings, policy, expected) => {
  expect(mayElicit(settings, { principal, tool, policy })).toBe(expected);
});
