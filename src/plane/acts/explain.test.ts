/** What explanations say of single calls; explain-property.test.ts compares them with generated ones. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { effects } from '../../domain/effects.js';
import type { Explanation } from '../../domain/explain.js';
import type { GrantInput, Policy } from '../../domain/grant.js';
import type { JsonObject } from '../../domain/json.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';
import { vault } from './testing/vault-toolkit.js';

const shelf = {
  type: 'object',
  properties: { shelf: { type: 'string' }, n: { type: 'integer' } },
  additionalProperties: false,
};
const names = ['peek', 'fill', 'guarded', 'wipe'] as const;
const annotations = {
  peek: effects.readsAnew,
  fill: effects.creates,
  guarded: effects.creates,
  wipe: effects.replaces,
};

let helve: TestHelve;

beforeAll(async () => {
  const tools = names.map((name) =>
    testTool({
      name,
      inputSchema: shelf,
      description: name === 'fill' ? 'Creates a channel' : 'Works on a shelf',
      annotations: annotations[name],
      highRisk: name === 'guarded',
      ...(name === 'wipe' ? { risk: 'destructive' as const } : {}),
      execute: async () => ({ done: true }),
    }),
  );
  helve = await createTestHelve({
    nativeToolkits: [],
    toolkits: [{ ...vault, load: async () => tools }],
    connections: ['One', 'Two'].map((name) => ({ toolkit: 'vault', name, credentials: { token: name } })),
  });
});
afterAll(() => helve.close());

interface Grant {
  readonly tools: readonly (typeof names)[number][];
  readonly limits: Readonly<Record<string, JsonObject>>;
}

interface World {
  /** On the accounts One and Two. */
  readonly grants: readonly (Grant | null)[];
  readonly policies: readonly Policy[];
  readonly enabled: boolean;
  readonly enabledTools: readonly string[] | undefined;
  readonly oneIsOff: boolean;
}

async function apply({ grants, policies, enabled, enabledTools, oneIsOff }: World): Promise<void> {
  const { plane, admin } = helve;
  const one = await plane.connection(admin, 'one');
  if (oneIsOff && one.status === 'active') await plane.disconnect(admin, 'one');
  if (!oneIsOff && one.status !== 'active') await plane.connect(admin, 'one', { credentials: { token: 'One' } });
  const accounts = [one, await plane.connection(admin, 'two')];
  // While the toolkit is off, its tools cannot be named.
  await plane.enableTools(admin, 'vault', { enabled: true });
  const inputs = grants.flatMap((grant, at): GrantInput[] =>
    grant ? [{ toolkit: 'vault', connectionId: accounts[at]?.id ?? '', config: {}, ...grant }] : [],
  );
  await plane.replaceGrants(admin, 'tester', inputs);
  await plane.replacePolicies(admin, policies);
  await plane.enableTools(admin, 'vault', { enabled, ...(enabledTools ? { enabledTools } : {}) });
}

const explain = ({ tool, input }: { readonly tool: string; readonly input: JsonObject }): Promise<Explanation> =>
  helve.plane.explain(helve.admin, { agent: 'tester', tool, input });

test('R-explain: after a refusal, the other layers are judged all the same', async () => {
  await apply({
    grants: [{ tools: ['peek', 'wipe'], limits: { peek: { required: ['n'] } } }, null],
    policies: [{ id: 'never', effect: 'deny', when: { tools: ['vault.peek'] } }],
    enabled: true,
    enabledTools: ['fill'],
    oneIsOff: true,
  });
  const { plane, admin } = helve;
  const layersOf = async (tool: string, input?: JsonObject) => {
    const { steps, rule } = await plane.explain(admin, { agent: 'tester', tool, ...(input ? { input } : {}) });
    const told = steps.map(({ layer }) => {
      const same = steps.filter((step) => step.layer === layer);
      return [layer, same.map(({ verdict }) => verdict)];
    });
    return { rule, ...Object.fromEntries(told) };
  };
  expect(await layersOf('one__peek', { wrong: 1 })).toEqual({
    rule: 'workspace.tools',
    name: ['allow'],
    workspace: ['deny'],
    connection: ['deny'],
    definition: ['allow'],
    // Wrong arguments are not held against the limits of a grant.
    grant: ['allow', 'unknown'],
    intent: ['allow'],
    input: ['deny'],
    policy: ['deny'],
    approval: ['unknown'],
    limit: ['unknown'],
  });
  expect(await layersOf('one__peek', { shelf: 'top' })).toMatchObject({ grant: ['deny'], input: ['allow'] });
  expect(await layersOf('two__fill', {})).toMatchObject({
    rule: 'grant.connection',
    workspace: ['allow'],
    connection: ['allow'],
    grant: ['deny'],
    policy: ['allow'],
  });
  // The tier decides where no policy does.
  await plane.replacePolicies(admin, [{ id: 'some', effect: 'allow', when: { arguments: { required: ['n'] } } }]);
  expect(await layersOf('one__wipe')).toMatchObject({ policy: ['unknown', 'unknown'] });
  expect(await layersOf('one__wipe', {})).toMatchObject({ policy: ['deny'] });
  await plane.replacePolicies(admin, [{ id: 'none', effect: 'deny', when: { arguments: { required: ['n'] } } }]);
  expect(await layersOf('one__wipe')).toMatchObject({ policy: ['deny', 'unknown'] });
});

test('R-explain R-approval: what a person said about the exact call is told', async () => {
  const { plane, admin } = helve;
  await apply({
    grants: [{ tools: ['guarded'], limits: {} }, null],
    policies: [],
    enabled: true,
    enabledTools: undefined,
    oneIsOff: false,
  });
  const call = { tool: 'one__guarded', input: { shelf: 'top', n: 5 } };
  const asked = async () => {
    expect(await explain(call)).toMatchObject({ verdict: 'require_approval' });
    const result = await helve.call(call.tool, call.input);
    return result.ok ? '' : String(result.error.details?.approvalId);
  };
  await plane.decideApproval(admin, await asked(), 'approved', 'api');
  expect(await explain(call)).toMatchObject({ verdict: 'allow' });
  expect((await helve.call(call.tool, call.input)).ok).toBe(true);
  await plane.decideApproval(admin, await asked(), 'rejected', 'api');
  expect(await explain(call)).toMatchObject({ verdict: 'deny' });
  expect(await helve.call(call.tool, call.input)).toMatchObject({ error: { code: 'approval_rejected' } });
});

test('R-explain R-limits: a limit that is reached is told, and telling does not count', async () => {
  const { plane, admin } = helve;
  await apply({
    grants: [{ tools: ['peek'], limits: {} }, null],
    policies: [],
    enabled: true,
    enabledTools: undefined,
    oneIsOff: false,
  });
  await plane.replacePolicies(admin, [{ id: 'slow', effect: 'allow', when: {}, rateLimit: { calls: 2, seconds: 60 } }]);
  const ask = () => plane.explain(admin, { agent: 'tester', tool: 'one__peek', input: {} });
  for (const verdict of ['allow', 'allow', 'deny']) {
    for (let again = 0; again < 5; again++) expect(await ask()).toMatchObject({ verdict });
    expect((await helve.call('one__peek', {})).ok).toBe(verdict === 'allow');
  }
  const { rule, steps } = await ask();
  expect([rule, steps.at(-1)]).toEqual(['limit.rate', expect.objectContaining({ layer: 'limit', verdict: 'deny' })]);
});

test('R-explain: what an agent can do, what it costs, and what it was granted but is refused', async () => {
  await apply({
    grants: [{ tools: ['peek', 'wipe'], limits: {} }, null],
    policies: [{ id: 'ask', effect: 'require_approval', when: { tools: ['vault.peek'] } }],
    enabled: true,
    enabledTools: undefined,
    oneIsOff: false,
  });
  const { plane, admin } = helve;
  const { tools, tokens, mode, notOffered } = await plane.effectiveTools(admin, 'tester');
  expect(tools).toMatchObject([{ name: 'one__peek', connection: 'one', approval: 'required', rule: 'policy:ask' }]);
  expect(tokens).toBe(tools[0]?.tokens);
  expect(mode).toMatchObject({ set: 'auto', shows: 'tools' });
  expect(notOffered).toMatchObject([{ tool: 'vault.wipe', connection: 'one', rule: 'default.destructive' }]);
  const open = await plane.explain(admin, { agent: 'tester', tool: 'peek', connection: 'one' });
  expect(open).toMatchObject({ verdict: 'require_approval', rule: 'policy:ask' });
  const { id } = await plane.connection(admin, 'one');
  expect(await plane.explain(admin, { agent: 'tester', tool: 'peek', connection: id })).toEqual(open);
  const missing = plane.explain(admin, { agent: 'tester', tool: 'peek', connection: 'three' });
  await expect(missing).rejects.toMatchObject({ code: 'not_found' });
});
