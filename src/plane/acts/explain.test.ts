/**
 * What is explained is what happens: for generated configurations and calls, the explanation is compared with the same call
 * made afterwards, on tools that plant their effect. HELVE_PROPERTY_RUNS: how many configurations; a few in CI.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { effects } from '../../domain/effects.js';
import type { ToolResult } from '../../domain/execution.js';
import type { Explanation, PolicyPreview, Verdict } from '../../domain/explain.js';
import type { GrantInput, Policy } from '../../domain/grant.js';
import type { JsonObject } from '../../domain/json.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';
import { vault } from './testing/vault-toolkit.js';

const runs = Number(process.env.HELVE_PROPERTY_RUNS ?? 40);
const patient = { timeout: runs * 1_000 + 60_000 };

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
/** Every call that ran, as tool and arguments. */
const planted: string[] = [];

beforeAll(async () => {
  const tools = names.map((name) =>
    testTool({
      name,
      inputSchema: shelf,
      description: name === 'fill' ? 'Creates a channel' : 'Works on a shelf',
      annotations: annotations[name],
      highRisk: name === 'guarded',
      ...(name === 'wipe' ? { risk: 'destructive' as const } : {}),
      execute: async (input, { connection }) => {
        planted.push(JSON.stringify([name, connection?.name, input]));
        return { done: true };
      },
    }),
  );
  helve = await createTestHelve({
    nativeToolkits: [],
    toolkits: [{ ...vault, load: async () => tools }],
    connections: ['One', 'Two'].map((name) => ({ toolkit: 'vault', name, credentials: { token: name } })),
  });
});
afterAll(() => helve.close());

const anyTool = fc.constantFrom(...names);
const anyLimit = fc.constantFrom<JsonObject>(
  { type: 'object', properties: { shelf: { const: 'top' } } },
  { type: 'object', required: ['n'], properties: { n: { maximum: 3 } } },
);
const anyPolicy = fc.record({
  effect: fc.constantFrom('allow', 'require_approval', 'deny'),
  when: fc.record(
    {
      agents: fc.constantFrom(['tester']),
      toolkits: fc.constantFrom(['vault']),
      tools: fc.uniqueArray(anyTool, { minLength: 1, maxLength: 2 }).map((all) => all.map((name) => `vault.${name}`)),
      risk: fc.uniqueArray(fc.constantFrom('read', 'write', 'destructive'), { minLength: 1, maxLength: 2 }),
      arguments: anyLimit,
    },
    { requiredKeys: [] },
  ),
});
const anyPolicies = fc
  .array(anyPolicy, { maxLength: 3 })
  .map((all) => all.map((policy, at) => ({ ...policy, id: `p${at}` }) as unknown as Policy));
const anyGrant = fc.option(
  fc.record({
    tools: fc.uniqueArray(anyTool, { minLength: 1 }),
    limits: fc.dictionary(anyTool, anyLimit, { maxKeys: 2 }),
  }),
);
const anyWorld = fc.record({
  grants: fc.tuple(anyGrant, anyGrant),
  policies: anyPolicies,
  enabled: fc.boolean().chain((on) => (on ? fc.constant(true) : fc.constantFrom(true, false, true))),
  enabledTools: fc.option(fc.uniqueArray(anyTool, { minLength: 1 }), { nil: undefined }),
  oneIsOff: fc.constantFrom(false, false, false, true),
});
type World = typeof anyWorld extends fc.Arbitrary<infer Value> ? Value : never;

const anyCall = fc.record({
  tool: fc.oneof(
    { weight: 8, arbitrary: fc.tuple(fc.constantFrom('one', 'two'), anyTool).map((parts) => parts.join('__')) },
    { weight: 1, arbitrary: anyTool.map((name) => `vault.${name}`) },
    { weight: 1, arbitrary: fc.constant('one__nothing') },
  ),
  input: fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record(
        { shelf: fc.constantFrom('top', 'low'), n: fc.integer({ min: 1, max: 5 }) },
        { requiredKeys: [] },
      ),
    },
    { weight: 1, arbitrary: fc.constant({ wrong: true }) },
  ),
  intent: fc.constantFrom(undefined, undefined, undefined, 'send a message to Ada'),
});
const anyCalls = fc.uniqueArray(anyCall, { minLength: 4, maxLength: 8, selector: (call) => JSON.stringify(call) });
type Call = typeof anyCall extends fc.Arbitrary<infer Value> ? Value : never;

async function apply({ grants, policies, enabled, enabledTools, oneIsOff }: World): Promise<void> {
  const { plane, admin } = helve;
  const one = await plane.connection(admin, 'one');
  if (oneIsOff && one.status === 'active') await plane.disconnect(admin, 'one');
  if (!oneIsOff && one.status !== 'active') await plane.connect(admin, 'one', { credentials: { token: 'One' } });
  const accounts = [one, await plane.connection(admin, 'two')];
  // While the toolkit is off, its tools cannot be named.
  await plane.enableTools(admin, 'vault', { enabled: true });
  const inputs = grants.flatMap((grant, at): GrantInput[] => {
    const limits = Object.fromEntries(
      Object.entries(grant?.limits ?? {}).filter(([name]) => grant?.tools.includes(name as never)),
    );
    return grant
      ? [{ toolkit: 'vault', connectionId: accounts[at]?.id ?? '', tools: grant.tools, config: {}, limits }]
      : [];
  });
  await plane.replaceGrants(admin, 'tester', inputs);
  await plane.replacePolicies(admin, policies);
  await plane.enableTools(admin, 'vault', { enabled, ...(enabledTools ? { enabledTools } : {}) });
}

const explain = ({ tool, input, intent }: Call): Promise<Explanation> =>
  helve.plane.explain(helve.admin, { agent: 'tester', tool, input, ...(intent === undefined ? {} : { intent }) });

interface Made {
  readonly result: ToolResult;
  readonly verdict: Verdict;
  readonly rule: string;
}

/** Makes the call, and sees at the tool whether it ran. A person who is asked says no, so that nothing is left over. */
async function make({ tool, input, intent }: Call): Promise<Made> {
  const before = planted.length;
  const result = await helve.call(tool, input, intent === undefined ? {} : { intent });
  expect([tool, planted.length - before]).toEqual([tool, result.ok ? 1 : 0]);
  if (result.ok) return { result, verdict: 'allow', rule: '' };
  if (result.error.code !== 'approval_required') return { result, verdict: 'deny', rule: result.rule };
  const id = String(result.error.details?.approvalId);
  await helve.plane.decideApproval(helve.admin, id, 'rejected', 'api');
  return { result, verdict: 'require_approval', rule: result.rule };
}

describe('R-explain: generated configurations', () => {
  test(
    'R-explain: the explanation of a call is what the call then meets, and has no effect itself',
    patient,
    async () => {
      const seen = new Set<string>();
      await fc.assert(
        fc.asyncProperty(anyWorld, anyCalls, async (world, calls) => {
          await apply(world);
          for (const call of calls) {
            const rows = (await helve.plane.audit(helve.admin, { limit: 1 }))[0]?.seq;
            const ran = planted.length;
            const told = await explain(call);
            expect([planted.length, (await helve.plane.audit(helve.admin, { limit: 1 }))[0]?.seq]).toEqual([ran, rows]);
            const made = await make(call);
            expect([call, told.verdict]).toEqual([call, made.verdict]);
            if (made.verdict !== 'allow') expect([call, told.rule]).toEqual([call, made.rule]);
            const denying = told.steps.filter(({ verdict }) => verdict === 'deny').map(({ rule }) => rule);
            if (made.verdict === 'deny') expect(denying).toContain(made.rule);
            else expect(denying).toEqual([]);
            seen.add(made.rule.replace(/:.*?(\.|$)/, ':$1'));
          }
        }),
        { numRuns: runs },
      );
      // The control of the generators: each layer has refused something.
      for (const rule of [
        'tool.unknown',
        'tool.ambiguous',
        'workspace.toolkit',
        'connection.status',
        'grant.connection',
        'intent.mismatch',
        'input.schema',
      ])
        if (runs >= 40) expect([...seen]).toContain(rule);
    },
  );

  test('R-explain: a replay of policies says what they then do to the same calls', patient, async () => {
    const counts = { same: 0, newlyWaiting: 0, newlyRefused: 0, newlyFree: 0, unknown: 0 };
    await fc.assert(
      fc.asyncProperty(anyWorld, anyCalls, anyPolicies, async (world, calls, policies) => {
        await apply(world);
        const made: Made[] = [];
        for (const call of calls) made.push(await make(call));
        const preview = await helve.plane.previewPolicies(helve.admin, { policies, limit: calls.length });
        await apply({ ...world, policies });
        for (const [at, call] of calls.entries()) {
          const [before] = made.slice(at);
          const after = await make(call);
          const kind = findKind(preview, before?.result.executionId ?? '');
          if (kind === undefined) continue;
          counts[kind] += 1;
          if (kind === 'unknown') continue;
          const [was, is] = [byPolicies(before), byPolicies(after)];
          const expected = was === is ? 'same' : afterwards[is];
          expect([call, before?.verdict, after.verdict, kind]).toEqual([
            call,
            before?.verdict,
            after.verdict,
            expected,
          ]);
        }
      }),
      { numRuns: runs },
    );
    const { unknown, ...known } = counts;
    expect(Object.values(known)).not.toContain(0);
    // Only of calls that may have named no account.
    expect(unknown).toBeLessThan(known.same / 4);
  });

  test('R-explain: what narrows never makes a refused call pass', patient, async () => {
    const strictness: readonly Verdict[] = ['allow', 'require_approval', 'deny'];
    const narrowings = fc.array(fc.constantFrom(...(Object.keys(narrow) as (keyof typeof narrow)[])), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(anyWorld, anyCalls, narrowings, async (world, calls, acts) => {
        let now: World = { ...world, oneIsOff: false };
        await apply(now);
        // A name without an account means another tool when one of two accounts is gone.
        const exact = calls.filter(({ tool }) => !tool.includes('.'));
        const ask = () => Promise.all(exact.map(explain));
        let before = await ask();
        for (const act of acts) {
          now = narrow[act](now);
          await apply(now);
          const after = await ask();
          for (const [at, { verdict }] of after.entries()) {
            const was = before[at]?.verdict ?? 'deny';
            expect([act, exact[at], was, verdict, strictness.indexOf(verdict) >= strictness.indexOf(was)]).toEqual([
              act,
              exact[at],
              was,
              verdict,
              true,
            ]);
          }
          before = after;
        }
      }),
      { numRuns: Math.ceil(runs / 2) },
    );
  });
});

/** That a person said no to the same call is no matter of policies. */
function byPolicies(made: Made | undefined): Verdict {
  if (made && !made.result.ok && made.result.error.code === 'approval_rejected') return 'require_approval';
  return made?.verdict ?? 'unknown';
}

const afterwards = {
  allow: 'newlyFree',
  require_approval: 'newlyWaiting',
  deny: 'newlyRefused',
  unknown: 'unknown',
} as const;

function findKind(preview: PolicyPreview, executionId: string): keyof PolicyPreview | undefined {
  const kinds = Object.keys(preview) as (keyof PolicyPreview)[];
  return kinds.find((kind) => preview[kind].calls.some((call) => call.executionId === executionId));
}

const denyAll = { id: 'added', effect: 'deny', when: { tools: ['vault.peek'] } } as const;
const narrow = {
  removeAGrant: (world: World): World => ({ ...world, grants: [null, world.grants[1]] }),
  removeATool: (world: World): World => ({
    ...world,
    grants: [
      world.grants[0],
      world.grants[1] && world.grants[1].tools.length > 1
        ? { ...world.grants[1], tools: world.grants[1].tools.slice(1) }
        : null,
    ],
  }),
  addADenial: (world: World): World => ({
    ...world,
    policies: [...world.policies.filter(({ id }) => id !== 'added'), denyAll],
  }),
  switchTheToolkitOff: (world: World): World => ({ ...world, enabled: false }),
  switchAToolOff: (world: World): World => {
    const left = (world.enabledTools ?? [...names]).slice(1);
    return left.length > 0 ? { ...world, enabledTools: left } : { ...world, enabled: false };
  },
  endTheAccount: (world: World): World => ({ ...world, oneIsOff: true }),
} as const;

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
  const call = { tool: 'one__guarded', input: { shelf: 'top', n: 5 } as const, intent: undefined };
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
  const missing = plane.explain(admin, { agent: 'tester', tool: 'peek', connection: 'three' });
  await expect(missing).rejects.toMatchObject({ code: 'not_found' });
});
