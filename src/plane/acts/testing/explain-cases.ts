/** For tests and benchmarks: generated configurations and calls, and the properties that must hold for them. */
import fc from 'fast-check';
import type { Layer, PolicyPreview, Verdict } from '../../../domain/explain.js';
import type { Policy } from '../../../domain/grant.js';
import type { RiskTier } from '../../../domain/tool.js';
import {
  type AccountState,
  accountSlugs,
  compareCall,
  type Explain,
  explainIn,
  type Observed,
  observe,
  shopTools,
  vaultTools,
  type World,
  type WorldCall,
  type WorldGrants,
  type WorldSetup,
  worldAgents,
} from './explain-world.js';

const toolTexts = [
  'shop.*',
  '*',
  'stall.sell_item',
  ...shopTools.map((tool) => `shop.${tool}`),
  ...vaultTools.map((tool) => `vault.${tool}`),
];
const argumentRules: NonNullable<Policy['when']['arguments']>[] = [
  {},
  { properties: { amount: { minimum: 5 } } },
  { required: ['note'] },
  { properties: { shelf: { const: 'top' } }, required: ['shelf'] },
];

const conditions = {
  agents: fc.constantFrom(['tester'], ['second']),
  toolkits: fc.constantFrom(['shop'], ['vault'], ['shop', 'vault']),
  tools: fc.constantFrom(...toolTexts.map((text) => [text])),
  risk: fc.constantFrom(['read'], ['write'], ['destructive'], ['read', 'destructive']),
  arguments: fc.constantFrom(...argumentRules),
};
/** Mostly one condition: with more, few calls are matched. */
const when = (
  fc.oneof(
    fc.constant({}),
    ...Object.entries(conditions).map(([name, values]) =>
      (values as fc.Arbitrary<unknown>).map((value) => ({ [name]: value })),
    ),
    fc.record(conditions, { requiredKeys: [] }),
  ) as fc.Arbitrary<Policy['when']>
).filter(isWritable);

/** Every tool of the world with its tier of risk and its arguments. */
const takers: readonly (readonly [tool: string, risk: RiskTier, takes: readonly string[]])[] = [
  ['shop.read_price', 'read', ['amount', 'note']],
  ['shop.set_price', 'write', ['amount', 'note']],
  ['shop.drop_shop', 'destructive', ['amount', 'note']],
  ['shop.pay_invoice', 'write', ['amount', 'note']],
  ['vault.open_vault', 'read', ['shelf']],
  ['vault.fill_vault', 'write', ['shelf']],
  ['stall.sell_item', 'write', ['amount']],
];

/** A rule about an argument that none of its tools takes is refused. */
function isWritable({ arguments: shape, tools, toolkits, risk }: Policy['when']): boolean {
  const argument = ['shelf', 'amount', 'note'].find((one) => JSON.stringify(shape ?? {}).includes(`"${one}"`));
  if (argument === undefined || (tools ?? toolkits) === undefined) return true;
  const meant = takers.filter(
    ([tool, tier]) =>
      (tools?.some((text) => ['*', tool, `${tool.split('.')[0]}.*`].includes(text)) ?? true) &&
      (toolkits?.includes(tool.split('.')[0] ?? '') ?? true) &&
      (risk?.includes(tier) ?? true),
  );
  return meant.length === 0 || meant.some(([, , takes]) => takes.includes(argument));
}

type WorldPolicy = Omit<Policy, 'id'>;

const policy = fc.record(
  {
    effect: fc.constantFrom('allow', 'allow', 'require_approval', 'deny'),
    when,
    rateLimit: fc.record({ calls: fc.constantFrom(1, 1, 2, 3), seconds: fc.constant(3_600) }),
    reason: fc.constantFrom('The shop is closed', 'Ask first'),
    elicitation: fc.boolean(),
  },
  { requiredKeys: ['effect', 'when'] },
) as fc.Arbitrary<WorldPolicy>;

const mostly = fc.integer({ min: 0, max: 9 }).map((one) => one > 0);
const state: fc.Arbitrary<AccountState> = fc.constantFrom(
  'active',
  'active',
  'active',
  'expired',
  'private',
  'of Ana',
  'of Ana',
  'no scope',
);

/** Mostly everything: a call that lacks its grant meets nothing else. */
const most = <T>(all: readonly T[]): fc.Arbitrary<readonly T[]> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(all) }, { weight: 2, arbitrary: fc.subarray([...all]) });

const grants = fc.record(
  {
    shop: most(shopTools),
    max: fc.constantFrom(3, 7),
    work: most(vaultTools),
    home: most(vaultTools),
    stall: mostly,
  },
  { requiredKeys: ['shop', 'work', 'stall'] },
);

const setup = fc.record(
  {
    policies: fc.array(policy, { maxLength: 3 }),
    grants: fc.record({ tester: grants, second: grants }),
    shopOn: mostly,
    shopTools: fc.subarray([...shopTools], { minLength: 2 }),
    vaultOn: mostly,
    states: fc.record({ work: state, home: state }),
    stallChanged: fc.boolean(),
    ana: fc.constantFrom('admin', 'admin', 'admin', 'disabled', 'member'),
  },
  { requiredKeys: ['policies', 'grants', 'shopOn', 'vaultOn', 'states', 'stallChanged', 'ana'] },
) as fc.Arbitrary<WorldSetup>;

type Asked = Pick<WorldCall, 'tool' | 'input'>;

const shopCall: fc.Arbitrary<Asked> = fc.record({
  tool: fc.constantFrom(...shopTools),
  input: fc.constantFrom<WorldCall['input']>(
    { amount: 1 },
    { amount: 2 },
    { amount: 6, note: 'x' },
    { amount: 9 },
    { amount: 'many' },
    {},
  ),
});
const vaultCall: fc.Arbitrary<Asked> = fc.record({
  tool: fc.constantFrom('work__open_vault', 'home__open_vault', 'work__fill_vault', 'home__fill_vault'),
  input: fc.constantFrom<WorldCall['input']>({}, { shelf: 'top' }, { shelf: 4 }),
});
const stallCall = fc.constantFrom<Asked>(
  { tool: 'stall__sell_item', input: {} },
  { tool: 'stall__sell_item', input: { amount: 9 } },
);
const oddCall = fc.constantFrom<Asked>(
  { tool: 'VAULT_OPEN_VAULT', input: {} },
  { tool: 'vault.fill_vault', input: { shelf: 'top' } },
  { tool: 'Shop.setPrice', input: { amount: 1 } },
  { tool: 'no_such_tool', input: {} },
);

/** What tools are called; `exact`: under names that mean one account. */
function callsOf(tools: fc.Arbitrary<Asked>): fc.Arbitrary<WorldCall> {
  return fc
    .record({
      agent: fc.constantFrom(...worldAgents, worldAgents[0]),
      asked: tools,
      intent: fc.constantFrom(undefined, undefined, undefined, undefined, 'send a message to Ada', 'set the price'),
      forAna: fc.constantFrom(false, false, true),
    })
    .map(({ agent, asked, intent, forAna }) => ({
      agent,
      ...asked,
      ...(intent === undefined ? {} : { intent }),
      ...(forAna ? { forAna } : {}),
    }));
}

const exact = [
  { weight: 5, arbitrary: shopCall },
  { weight: 4, arbitrary: vaultCall },
  { weight: 1, arbitrary: stallCall },
];
const anyCall = callsOf(fc.oneof(...exact, { weight: 1, arbitrary: oddCall }));
const exactCall = callsOf(fc.oneof(...exact));

/** A configuration, calls, and what a person decides on those that wait. */
export interface GeneratedCase {
  readonly setup: WorldSetup;
  readonly calls: readonly WorldCall[];
  readonly person: 'approved' | 'rejected' | 'silent';
}

export const generatedCase: fc.Arbitrary<GeneratedCase> = fc.record({
  setup,
  calls: fc.array(anyCall, { minLength: 2, maxLength: 5 }),
  person: fc.constantFrom('approved', 'rejected', 'silent', 'silent'),
});

/** For how many calls a step of each layer had the verdict and the rule of the call, and how often each rule decided. */
export interface Reached {
  readonly layers: Map<Layer, number>;
  readonly rules: Map<string, number>;
  calls: number;
}

export const createReached = (): Reached => ({ layers: new Map(), rules: new Map(), calls: 0 });

const count = <Key>(counts: Map<Key, number>, key: Key): void => void counts.set(key, (counts.get(key) ?? 0) + 1);

/**
 * Makes each call twice, for the limits, with an answer of the person in between. Throws for a call that `explain` did not
 * foretell.
 */
export async function compareCase(
  world: World,
  { setup: given, calls, person }: GeneratedCase,
  { explain = explainIn(world), reached = createReached() }: { explain?: Explain; reached?: Reached } = {},
): Promise<void> {
  await world.setUp(given);
  for (const call of [...calls, ...calls]) {
    const { verdict, rule, result, steps } = await compareCall(world, call, explain);
    reached.calls += 1;
    count(reached.rules, `${verdict} ${rule.replace(/:[^.]*/, '')}`);
    for (const { layer } of steps.filter((step) => step.verdict === verdict && step.rule === rule))
      count(reached.layers, layer);
    const approvalId = result?.ok === false ? result.error.details?.approvalId : undefined;
    if (verdict !== 'require_approval' || person === 'silent' || typeof approvalId !== 'string') continue;
    const { helve, asker } = world;
    const waiting = await helve.plane.approvals(asker, { status: 'pending' });
    if (waiting.some(({ id }) => id === approvalId)) await helve.plane.decideApproval(asker, approvalId, person, 'api');
  }
}

export const openCase = fc.record({ setup, calls: fc.array(exactCall, { minLength: 2, maxLength: 5 }) });

type OpenCase = typeof openCase extends fc.Arbitrary<infer Case> ? Case : never;

/** What is wrong with one call only, or with the number of calls. */
const ofThisCall = ['input.schema', 'limit.rate', 'limit.pending'];

/**
 * Throws for a call that is decided otherwise than the explanation of all calls of its tool says, and for a tool that is
 * listed as callable although all its calls are refused, or the reverse. Returns how often the explanation left it open.
 */
export async function compareOpen(world: World, { setup: given, calls }: OpenCase): Promise<number> {
  await world.setUp(given);
  let unknown = 0;
  for (const call of calls) {
    const { input: _, ...any } = call;
    const { verdict, rule } = await explainIn(world)(any);
    if (verdict === 'unknown') unknown += 1;
    const { tools } = await world.helve.plane.effectiveTools(world.asker, call.agent);
    const isListed = tools.some(({ name }) => name === call.tool);
    // The list is that of an agent that acts for nobody, and knows of no intent.
    const isComparable = !call.forAna && !isOfThis(rule) && rule !== 'intent.mismatch';
    if (isComparable && isListed === (verdict === 'deny'))
      throw new Error(`the list differs: ${JSON.stringify({ call, verdict, rule, isListed })}`);
    const found = await observe(world, call);
    const isOther = verdict !== 'unknown' && found.verdict !== verdict && !isOfThis(found.rule);
    if (isOther) throw new Error(`the open verdict differs: ${JSON.stringify({ call, verdict, rule, found })}`);
  }
  return unknown;
}

const isOfThis = (rule: string): boolean => ofThisCall.includes(rule);

export const replayCase = fc.record({
  setup,
  calls: fc.array(anyCall, { minLength: 2, maxLength: 5 }),
  policies: fc.array(policy, { maxLength: 3 }),
});

type ReplayCase = typeof replayCase extends fc.Arbitrary<infer Case> ? Case : never;

export type ReplayCounts = Record<keyof PolicyPreview, number>;

/** Throws for a call of which the replay says something else than the policies then do to it. */
export async function compareReplay(
  world: World,
  { setup: given, calls, policies }: ReplayCase,
  counts: ReplayCounts,
): Promise<void> {
  const { helve, asker } = world;
  await world.setUp(given);
  const made: Observed[] = [];
  for (const call of calls) made.push(await observe(world, call));
  const proposed = policies.map((one, index) => ({ ...one, id: `proposed-${index}` }));
  const preview = await helve.plane.previewPolicies(asker, { policies: proposed, limit: calls.length });
  await world.setUp({ ...given, policies });
  for (const [at, call] of calls.entries()) {
    const before = made[at];
    const kind = before && findKind(preview, before.result?.executionId);
    if (before === undefined || kind === undefined) continue;
    counts[kind] += 1;
    const after = await observe(world, call);
    if (kind === 'unknown') continue;
    const [was, is] = [withoutCounts(before), withoutCounts(after)];
    const expected = was === is ? 'same' : afterwards[is];
    if (kind !== expected) throw new Error(`the replay differs: ${JSON.stringify({ call, before, after, kind })}`);
  }
}

const afterwards = {
  allow: 'newlyFree',
  require_approval: 'newlyWaiting',
  deny: 'newlyRefused',
  unknown: 'unknown',
} as const;

/** That a limit was reached, or that a person said no to the same call, is no matter of grants and policies. */
function withoutCounts({ verdict, rule, result }: Observed): Verdict {
  if (rule === 'limit.rate') return 'allow';
  if (rule === 'limit.pending') return 'require_approval';
  return result?.ok === false && result.error.code === 'approval_rejected' ? 'require_approval' : verdict;
}

function findKind(preview: PolicyPreview, executionId: string | undefined): keyof PolicyPreview | undefined {
  const kinds = Object.keys(preview) as (keyof PolicyPreview)[];
  return kinds.find((kind) => preview[kind].calls.some((call) => call.executionId === executionId));
}

/** The acts that take something away. Each is applied to a configuration. */
export const narrowings = {
  'remove a grant': (one) => ({ ...one, grants: { ...one.grants, tester: withoutShop(one.grants.tester) } }),
  'remove a grant on an account': (one) => changeTester(one, ({ work: _, ...rest }) => rest),
  'remove a tool from a grant': (one) => changeTester(one, (of) => ({ ...of, shop: of.shop?.slice(1) ?? [] })),
  'lower a limit on arguments': (one) => changeTester(one, (of) => ({ ...of, max: Math.min(of.max ?? 3, 3) })),
  'lower a limit of calls': (one) => ({ ...one, policies: one.policies.map(lowerRate) }),
  'end a connection': (one) => ({ ...one, states: { ...one.states, work: 'expired' } }),
  'make a connection private': (one) => ({ ...one, states: { ...one.states, home: 'private' } }),
  'switch a toolkit off': (one) => ({ ...one, vaultOn: false }),
  'switch a tool off': (one) => ({ ...one, shopTools: (one.shopTools ?? shopTools).slice(1) }),
  'change a definition': (one) => ({ ...one, stallChanged: true }),
  'disable the person': (one) => ({ ...one, ana: 'disabled' }),
} satisfies Record<string, (setup: WorldSetup) => WorldSetup>;

const withoutShop = ({ shop: _, ...rest }: WorldGrants): WorldGrants => rest;

const changeTester = (one: WorldSetup, change: (grants: WorldGrants) => WorldGrants): WorldSetup => ({
  ...one,
  grants: { ...one.grants, tester: change(one.grants.tester) },
});

function lowerRate(one: WorldPolicy): WorldPolicy {
  const { rateLimit } = one;
  return rateLimit ? { ...one, rateLimit: { ...rateLimit, calls: Math.max(1, rateLimit.calls - 1) } } : one;
}

type Narrowing = keyof typeof narrowings | WorldPolicy;

const narrowing: fc.Arbitrary<Narrowing> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...(Object.keys(narrowings) as (keyof typeof narrowings)[])) },
  { weight: 1, arbitrary: policy.map((one): WorldPolicy => ({ ...one, effect: 'deny' })) },
);

/**
 * Calls name their account: a name that means several accounts is refused as ambiguous, and is no longer so if one of them
 * goes.
 */
export const narrowingCase = fc.record({
  setup,
  calls: fc.array(exactCall, { minLength: 2, maxLength: 4 }),
  acts: fc.array(narrowing, { minLength: 1, maxLength: 4 }),
});

type NarrowingCase = typeof narrowingCase extends fc.Arbitrary<infer Case> ? Case : never;

const strictness: readonly Verdict[] = ['allow', 'require_approval', 'deny'];

/**
 * Throws if a call becomes less strictly decided after an act: above all, if one that was refused passes. Returns the number
 * of calls that were refused.
 */
export async function refuteNarrowing(world: World, { setup: given, calls, acts }: NarrowingCase): Promise<number> {
  const judge = async (call: WorldCall): Promise<Verdict> => {
    const found = await observe(world, call);
    // The calls of this very check use the limit up.
    return found.rule === 'limit.rate' ? 'deny' : withoutCounts(found);
  };
  let now = given;
  let refused = 0;
  await world.setUp(now);
  let before: Verdict[] = [];
  for (const call of calls) before.push(await judge(call));
  for (const act of acts) {
    now = typeof act === 'string' ? narrowings[act](now) : { ...now, policies: [...now.policies, act] };
    await world.setUp(now, { again: true });
    const after: Verdict[] = [];
    for (const [at, call] of calls.entries()) {
      const was = before[at] ?? 'deny';
      const is = await judge(call);
      refused += was === 'deny' ? 1 : 0;
      if (strictness.indexOf(is) < strictness.indexOf(was))
        throw new Error(`${JSON.stringify(act)} turned ${was} into ${is}: ${JSON.stringify({ now, call })}`);
      after.push(is);
    }
    before = after;
  }
  return refused;
}

const smallConditions: readonly Policy['when'][] = [
  {},
  { agents: ['tester'] },
  { tools: ['vault.open_vault'] },
  { arguments: { required: ['shelf'] } },
];
const smallKinds = (['allow', 'require_approval', 'deny'] as const).flatMap((effect) =>
  smallConditions.map((condition) => ({ effect, when: condition })),
);

/** All policies of length two or less in a world of two agents, two tools and two connections. */
export const smallWorlds: readonly WorldSetup[] = [
  [],
  ...smallKinds.map((one) => [one]),
  ...smallKinds.flatMap((one) => smallKinds.map((other) => [one, other])),
].map((policies) => ({
  policies,
  grants: { tester: { work: vaultTools, home: ['open_vault'] }, second: { work: ['fill_vault'], home: vaultTools } },
  shopOn: true,
  vaultOn: true,
  states: { work: 'active', home: 'active' },
  stallChanged: false,
  ana: 'admin',
}));

const smallInputs: readonly WorldCall['input'][] = [{}, { shelf: 'top' }];

/** Every agent with every tool on every connection, with arguments of either kind. */
export const smallCalls: readonly WorldCall[] = worldAgents.flatMap((agent) =>
  accountSlugs.flatMap((account) =>
    vaultTools.flatMap((tool) => smallInputs.map((input) => ({ agent, tool: `${account}__${tool}`, input }))),
  ),
);
