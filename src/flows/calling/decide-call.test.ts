/** How grants, policies and the risk tier combine to one decision, and how it is explained. */
import { describe, expect, test } from 'vitest';
import type { Grant, Policy } from '../../domain/grant.js';
import type { Principal } from '../../domain/principal.js';
import type { Tool } from '../../domain/tool.js';
import { decideCall, shownApproval } from './decision.js';

const principal: Principal = { kind: 'agent', id: 'a1', name: 'scout', workspaceId: 'w', permissions: ['tools:call'] };
const tool = (more: Partial<Tool> = {}) =>
  ({ id: { toolkit: 'mail', name: 'send' }, scopes: [], risk: 'write', highRisk: false, ...more }) as unknown as Tool;
const grant: Grant = { id: 'g1', agentId: 'a1', toolkit: 'mail', tools: ['send'], limits: {}, config: {} };
const policy = (effect: Policy['effect']): Policy => ({ id: effect, effect, when: {} });

interface Given {
  readonly policies?: readonly Policy[];
  readonly grants?: readonly Grant[];
  readonly of?: Partial<Tool>;
  readonly input?: object;
}

function decide({ policies = [], grants = [grant], of = {}, input = {} }: Given) {
  const configuration = { toolkits: [], connections: [], pins: [], agents: [], policies, grants };
  const asked = 'none' in input ? {} : { input };
  return decideCall({ configuration, principal, tool: tool(of), ...asked } as never);
}
const listed = { none: true };

describe('one decision', () => {
  test.each<[string, Given, string, string, string | undefined]>([
    ['a grant', {}, 'allow', 'grant:g1', undefined],
    [
      'no grant, though a policy allows it',
      { grants: [], policies: [policy('allow')] },
      'deny',
      'grant.missing',
      'grant',
    ],
    ['a grant and a policy that denies', { policies: [policy('deny')] }, 'deny', 'policy:deny', 'policy'],
    ['a grant and a policy that allows', { policies: [policy('allow')] }, 'allow', 'policy:allow', undefined],
    ['a grant on a destructive tool', { of: { risk: 'destructive' } }, 'deny', 'default.destructive', 'policy'],
    ['a grant on a high-risk tool', { of: { highRisk: true } }, 'require_approval', 'grant:g1', undefined],
  ])('R-layers: by %s', (_what, given, effect, rule, refusedBy) => {
    for (const input of [{}, listed]) {
      const verdict = decide({ ...given, input });
      expect(verdict.decision).toMatchObject({ effect, rule });
      expect(verdict.refusedBy).toBe(refusedBy);
      // If the grant refuses, nothing is said about policies.
      if (refusedBy === 'grant')
        expect(verdict).toMatchObject({ approval: 'denied', rules: [{ rule }], rateLimits: [] });
    }
  });

  test('R-layers: a list mentions that the grant’s limits may refuse, and a call does not', () => {
    const rules = (limits: Grant['limits'], input: object) =>
      decide({ grants: [{ ...grant, limits }], input }).rules.map(({ rule }) => rule);
    expect(rules({ send: {} }, listed)).toEqual(['grant:g1', 'grant:g1.limits', 'default.write']);
    expect(rules({ read: {} }, listed)).toEqual(['grant:g1', 'default.write']);
    expect(rules({ send: {} }, {})).toEqual(['grant:g1', 'default.write']);
    const key: Principal = { ...principal, kind: 'api_key' };
    const configuration = { toolkits: [], connections: [], pins: [], agents: [], policies: [], grants: [] };
    const own = decideCall({ configuration, principal: key, tool: tool() } as never);
    expect(own.rules.map(({ rule }) => rule)).toEqual(['principal.api_key', 'default.write']);
  });

  test('R-approval: lists mention an approval if one is needed', () => {
    const shown = (['none', 'required', 'depends', 'denied'] as const).map(shownApproval);
    expect(shown).toEqual([{}, { approval: 'required' }, { approval: 'depends' }, {}]);
  });
});
