/** The layers of access: each refuses under its own name, and none can do anything but narrow. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Connection } from '../domain/connection.js';
import type { Grant, WorkspaceConfiguration } from '../domain/grant.js';
import type { JsonObject } from '../domain/json.js';
import { agentPermissions, type Principal } from '../domain/principal.js';
import type { Tool } from '../domain/tool.js';
import { satisfies } from '../schema/index.js';
import { testProviderTool } from '../testing/provider-tool.js';
import { decideAccess, knowsAccount, seesAccount, visibleConnections } from './index.js';

const agent: Principal = { kind: 'agent', id: 'a1', name: 'scout', workspaceId: 'w', permissions: agentPermissions };
const key: Principal = { ...agent, kind: 'api_key', id: 'k1', name: 'ci' };

const tool = (more: Partial<Tool> = {}): Tool =>
  testProviderTool({ toolkit: 'mail', name: 'send' }, { provider: 'native', ...more });

const grant = (more: Partial<Grant> = {}): Grant => ({
  id: 'g1',
  agentId: 'a1',
  toolkit: 'mail',
  tools: ['send'],
  limits: {},
  config: {},
  ...more,
});

const configuration = (more: Partial<WorkspaceConfiguration> = {}): WorkspaceConfiguration => ({
  workspaceId: 'w',
  revision: 1,
  policyVersion: 1,
  agents: [],
  policies: [],
  toolkits: [],
  connections: [],
  pins: [],
  grants: [grant()],
  ...more,
});

const limits = { send: { type: 'object', properties: { to: { const: 'ada' } }, required: ['to'] } };
const ask = (of: Partial<WorkspaceConfiguration>, more: Partial<Parameters<typeof decideAccess>[0]> = {}) =>
  decideAccess(
    { configuration: configuration(of), principal: agent, tool: tool(), input: { to: 'bo' }, ...more },
    satisfies,
  ).decision;

describe('each layer refuses under its own name', () => {
  test.each([
    ['workspace.toolkit', { toolkits: [{ toolkit: 'mail', enabled: false }] }],
    ['workspace.tools', { toolkits: [{ toolkit: 'mail', enabled: true, enabledTools: ['read'] }] }],
    ['workspace.tools', { toolkits: [{ toolkit: 'mail', enabled: true, enabledTools: [] }] }],
    ['grant.missing', { grants: [] }],
    ['grant.missing', { grants: [grant({ toolkit: 'other' })] }],
    ['grant.missing', { grants: [grant({ agentId: 'a2' })] }],
    ['grant.connection', { grants: [grant({ connectionId: 'c1' })] }],
    ['grant.tools', { grants: [grant({ tools: ['read'] })] }],
    ['grant:g1.limits', { grants: [grant({ limits })] }],
  ] as const)('R-layers: %s', (rule, of) => {
    expect(ask(of)).toMatchObject({ effect: 'deny', rule });
  });

  test('R-layers: a call that no layer refuses is allowed, and the decision names the grant', () => {
    expect(ask({})).toMatchObject({ effect: 'allow', rule: 'grant:g1' });
    expect(ask({ grants: [grant({ limits })] }, { input: { to: 'ada' } })).toMatchObject({ effect: 'allow' });
    // A list asks without arguments.
    expect(
      decideAccess(
        { configuration: configuration({ grants: [grant({ limits })] }), principal: agent, tool: tool() },
        satisfies,
      ).decision.effect,
    ).toBe('allow');
  });

  test('R-layers: the workspace comes before the grant, for everyone', () => {
    const off = { toolkits: [{ toolkit: 'mail', enabled: false }], grants: [] };
    for (const principal of [agent, key]) expect(ask(off, { principal })).toMatchObject({ rule: 'workspace.toolkit' });
    expect(ask({ grants: [] }, { principal: key })).toMatchObject({ effect: 'allow', rule: 'principal.api_key' });
    expect(ask({}, { principal: { ...key, permissions: [] } })).toMatchObject({ rule: 'principal.permission' });
  });

  test('R-grants: a grant of one agent has no effect on another, and a limit under a hostile name is not the tool’s', () => {
    expect(ask({}, { principal: { ...agent, id: 'a2' } })).toMatchObject({ rule: 'grant.missing' });
    const named = tool({ id: { toolkit: 'mail', name: 'constructor' } });
    expect(ask({ grants: [grant({ tools: ['constructor'] })] }, { tool: named })).toMatchObject({ effect: 'allow' });
  });

  const account: Connection = {
    id: 'c1',
    toolkit: 'mail',
    name: 'Work',
    slug: 'work',
    status: 'active',
    visibility: 'private',
    ownerId: 'ada',
    scheme: 'token',
    settings: {},
    scopes: ['send'],
    createdAt: '2026-01-01T00:00:00.000Z',
  };
  const forAda = { ...agent, onBehalfOf: { kind: 'user', id: 'ada', name: 'Ada' } } as const;
  const withAccount = (more: Partial<Connection> = {}, pins: WorkspaceConfiguration['pins'] = []) => ({
    connections: [{ ...account, ...more }],
    grants: [grant({ connectionId: 'c1' })],
    pins,
  });

  test('R-layers: an account is used by and for its owner, while it exists, is active and has the scopes', () => {
    const on = (of: Partial<WorkspaceConfiguration>, more: Partial<Parameters<typeof decideAccess>[0]> = {}) =>
      ask(of, { principal: forAda, connectionId: 'c1', tool: tool({ scopes: ['send'] }), ...more });
    expect(on(withAccount())).toMatchObject({ effect: 'allow' });
    expect(on(withAccount({ visibility: 'workspace' }), { principal: agent })).toMatchObject({ effect: 'allow' });
    expect(on(withAccount({ scopes: undefined as never }))).toMatchObject({ effect: 'allow' });
    for (const [rule, of, more] of [
      ['connection.missing', { ...withAccount(), connections: [] }],
      ['connection.missing', withAccount({ id: 'c2' })],
      ['connection.missing', withAccount({ toolkit: 'other' })],
      ['connection.visibility', withAccount(), { principal: agent }],
      ['connection.visibility', withAccount({ ownerId: 'bo' })],
      ['connection.status', withAccount({ status: 'needs_reauth' as never })],
      ['connection.scopes', withAccount({ scopes: ['read'] })],
      ['grant.connection', { ...withAccount(), grants: [grant()] }],
    ] as const)
      expect(on(of, more), rule).toMatchObject({ effect: 'deny', rule });
  });

  test('R-layers: a changed definition is refused until exactly that definition is agreed to', () => {
    const changed = tool({ definition: { hash: 'new', text: 'new' } });
    const pin = { toolkit: 'mail', tool: 'send', hash: 'new' } as WorkspaceConfiguration['pins'][number];
    expect(ask({ pins: [pin] }, { tool: changed })).toMatchObject({ effect: 'allow' });
    for (const pins of [[], [{ ...pin, hash: 'old' }], [{ ...pin, tool: 'read' }], [{ ...pin, toolkit: 'other' }]])
      expect(ask({ pins }, { tool: changed })).toMatchObject({ effect: 'deny', rule: 'definition.changed' });
  });

  test('R-layers: an enabled tool is allowed; an agent without the permission sees its tools and can call none', () => {
    const enabled = { toolkits: [{ toolkit: 'mail', enabled: true, enabledTools: ['send'] }] };
    expect(ask(enabled)).toMatchObject({ effect: 'allow' });
    const onlySees: Principal = { ...agent, permissions: ['tools:read'] };
    expect(ask({}, { principal: onlySees })).toMatchObject({ effect: 'deny', rule: 'principal.permission' });
    const listing = { configuration: configuration(), principal: onlySees, tool: tool() };
    expect(decideAccess(listing, satisfies).decision).toMatchObject({ effect: 'allow' });
    expect(decideAccess({ ...listing, principal: { ...key, permissions: [] } }, satisfies).decision).toMatchObject({
      rule: 'principal.permission',
    });
  });

  test('R-instances: who may see an account', () => {
    const of = configuration(withAccount());
    const bo: Principal = { ...key, kind: 'user', id: 'bo' };
    const ada: Principal = { ...key, kind: 'user', id: 'ada' };
    expect([ada, forAda, bo, agent].map((one) => seesAccount(of, one, 'c1'))).toEqual([true, true, false, false]);
    expect([ada, bo].map((one) => visibleConnections(of, one).length)).toEqual([1, 0]);
    expect([seesAccount(of, bo, undefined), seesAccount(of, ada, 'gone')]).toEqual([true, false]);
    // The agent has a grant for it; another agent, and a person with the agent's id, do not.
    const others = [agent, { ...agent, id: 'a2' }, { ...agent, kind: 'user' } as Principal];
    expect(others.map((one) => knowsAccount(of, one, 'c1'))).toEqual([true, false, false]);
    expect([knowsAccount(of, agent, 'c2'), knowsAccount(of, ada, 'c1')]).toEqual([false, true]);
  });

  test('R-handles: an intrinsic tool is included in any grant, and is refused without one', () => {
    const read = tool({ id: { toolkit: 'results', name: 'result_read' }, intrinsic: true });
    expect(ask({}, { tool: read })).toMatchObject({ effect: 'allow', rule: 'grant.intrinsic' });
    expect(ask({ grants: [] }, { tool: read })).toMatchObject({ effect: 'deny', rule: 'grant.missing' });
  });
});

describe('layers only narrow', () => {
  const names = fc.subarray(['send', 'read', 'drop']);
  const grants = fc.uniqueArray(
    fc.record({
      id: fc.constantFrom<string>('g1', 'g2', 'g3'),
      agentId: fc.constantFrom<string>('a1', 'a2'),
      toolkit: fc.constantFrom<string>('mail', 'other'),
      tools: names as fc.Arbitrary<readonly string[]>,
      config: fc.constant({}),
      limits: fc.constantFrom<Grant['limits']>({}, limits, { send: { not: {} } }),
    }),
    { selector: ({ agentId, toolkit }) => `${agentId}/${toolkit}`, maxLength: 4 },
  );
  const setting = fc.record(
    { toolkit: fc.constantFrom<string>('mail', 'other'), enabled: fc.boolean(), enabledTools: names },
    { requiredKeys: ['toolkit', 'enabled'] },
  );
  const state = fc.record({ grants, toolkits: fc.uniqueArray(setting, { selector: ({ toolkit }) => toolkit }) });

  /** Every way to restrict a configuration further. */
  const restrictions: Readonly<Record<string, (of: WorkspaceConfiguration) => WorkspaceConfiguration>> = {
    'switching the toolkit off': (of) => ({ ...of, toolkits: [{ toolkit: 'mail', enabled: false }] }),
    'enabling fewer tools': (of) => ({
      ...of,
      toolkits: [
        ...of.toolkits.filter(({ toolkit }) => toolkit !== 'mail'),
        {
          toolkit: 'mail',
          enabled: of.toolkits.find(({ toolkit }) => toolkit === 'mail')?.enabled ?? true,
          enabledTools: (
            of.toolkits.find(({ toolkit }) => toolkit === 'mail')?.enabledTools ?? ['send', 'read', 'drop']
          ).slice(1),
        },
      ],
    }),
    'taking a grant away': (of) => ({ ...of, grants: of.grants.slice(1) }),
    'taking a tool from every grant': (of) => ({
      ...of,
      grants: of.grants.map((one) => ({ ...one, tools: one.tools.slice(1) })),
    }),
    'adding a limit': (of) => ({
      ...of,
      grants: of.grants.map((one) => ({
        ...one,
        limits: { ...one.limits, send: { allOf: [one.limits.send ?? {}, { required: ['cc'] }] } },
      })),
    }),
    'binding a grant to a connection': (of) => ({
      ...of,
      grants: of.grants.map((one) => ({ ...one, connectionId: 'c9' })),
    }),
  };

  test.each(Object.keys(restrictions))('R-layers: %s never turns a refusal into a permission', (name) => {
    let narrowed = 0;
    const question = fc.record({
      tool: fc.constantFrom('send', 'read', 'drop'),
      principal: fc.constantFrom(agent, { ...agent, id: 'a2' }, key),
      input: fc.constantFrom<JsonObject>({ to: 'ada' }, { to: 'bo' }, { to: 'ada', cc: 'x' }),
    });
    fc.assert(
      fc.property(state, question, (parts, { tool: asked, principal, input }) => {
        const before = configuration(parts);
        const decide = (of: WorkspaceConfiguration) => {
          const one = tool({ id: { toolkit: 'mail', name: asked } });
          return decideAccess({ configuration: of, principal, tool: one, input }, satisfies).decision;
        };
        const [was, is] = [decide(before), decide(restrictions[name]?.(before) ?? before)];
        if (was.effect === 'deny') expect(is.effect).toBe('deny');
        else if (is.effect === 'deny') narrowed += 1;
        expect(is.rule).not.toBe('');
      }),
      {
        numRuns: 300,
        // An example that each restriction turns into a refusal, so that the count below does not depend on chance.
        examples: [
          [
            { grants: [grant()], toolkits: [] },
            { tool: 'send', principal: agent, input: { to: 'ada' } },
          ],
        ],
      },
    );
    expect(narrowed).toBeGreaterThan(0);
  });
});
