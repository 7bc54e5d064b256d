/**
 * For tests and benchmarks: one plane that takes any generated configuration, and the comparison of what `explain` says about
 * a call with what the pipeline then does with it. Each tool counts its runs.
 */
import { z } from 'zod';
import type { Connection } from '../../../domain/connection.js';
import { HelveError } from '../../../domain/errors.js';
import type { ToolResult } from '../../../domain/execution.js';
import type { ExplainStep, Explanation, Verdict } from '../../../domain/explain.js';
import type { GrantInput, Policy } from '../../../domain/grant.js';
import type { JsonObject } from '../../../domain/json.js';
import { agentPrincipal, type Principal, type PrincipalRef } from '../../../domain/principal.js';
import type { Provider } from '../../../domain/provider.js';
import { defineTool, defineToolkit } from '../../../domain/tool.js';
import { createTestHelve, type TestHelve, type TestHelveOptions } from '../../../testing/index.js';
import { testProviderTool } from '../../../testing/provider-tool.js';
import { defined } from '../../../util/defined.js';
import { vault } from './vault-toolkit.js';

/** The tools of the toolkit `shop`, one per tier of risk. */
export const shopTools = ['read_price', 'set_price', 'drop_shop', 'pay_invoice'] as const;
/** The tools of the toolkit `vault`, which act with an account. */
export const vaultTools = ['open_vault', 'fill_vault'] as const;
export const worldAgents = ['tester', 'second'] as const;
export const accountSlugs = ['work', 'home'] as const;

type AgentName = (typeof worldAgents)[number];
type AccountSlug = (typeof accountSlugs)[number];

/** `private`: another person's; `of Ana`: private to the person for whom calls are made. */
export type AccountState = 'active' | 'expired' | 'private' | 'of Ana' | 'no scope';

export interface WorldGrants {
  readonly shop?: readonly string[];
  /** The highest `amount` that the grant allows for each tool of the shop. */
  readonly max?: number;
  readonly work?: readonly string[];
  readonly home?: readonly string[];
  /** The tool whose maker may change it. */
  readonly stall?: boolean;
}

export interface WorldSetup {
  readonly policies: readonly Omit<Policy, 'id'>[];
  readonly grants: Readonly<Record<AgentName, WorldGrants>>;
  readonly shopOn: boolean;
  /** Undefined: all. */
  readonly shopTools?: readonly string[];
  readonly vaultOn: boolean;
  readonly states: Readonly<Record<AccountSlug, AccountState>>;
  readonly stallChanged: boolean;
  readonly ana: 'admin' | 'member' | 'disabled';
}

export interface WorldCall {
  readonly agent: AgentName;
  readonly tool: string;
  readonly input: JsonObject;
  readonly intent?: string;
  /** Made for Ana. */
  readonly forAna?: boolean;
}

export interface World {
  readonly helve: TestHelve;
  /** Sees every account. */
  readonly asker: Principal;
  /**
   * Replaces the whole configuration, and rejects what waits. Policies get ids that no earlier configuration has, except with
   * `again`: then they are those of the one before, as far as their places go.
   */
  setUp(setup: WorldSetup, options?: { readonly again?: boolean }): Promise<void>;
  /** The caller as the doors make it. Throws as they do. */
  getCaller(call: WorldCall): Promise<Principal>;
  readonly anaId: string;
  /** How often a tool has run since the world began. */
  runs(): number;
}

const maxPending = 1;

export async function createWorld(options: Pick<TestHelveOptions, 'database' | 'dataDir'> = {}): Promise<World> {
  let runs = 0;
  let setups = 0;
  const run = async () => {
    runs += 1;
    return { done: true };
  };
  const helve = await createTestHelve({
    ...options,
    nativeToolkits: [],
    toolkits: [createShop(run), createVault(run)],
    providers: [createStall(run)],
    connections: ['Work', 'Home'].map((name) => ({ toolkit: 'vault', name, credentials: { token: 'canary' } })),
    granted: [],
    config: `approvals: { pending_per_agent: ${maxPending} }`,
  });
  const { plane, admin, agent, storage, workspaceId } = helve;
  const workspace = storage.workspace(workspaceId);
  const second = agentPrincipal(await plane.createAgent(admin, { slug: 'second' }), workspaceId);
  const agents: Record<AgentName, Principal> = { tester: agent, second };
  const accounts = await plane.connections(admin);
  const find = (slug: string): Connection => {
    const found = accounts.find((one) => one.slug === slug);
    if (!found) throw new HelveError('internal', `the world has no account ${slug}`);
    return found;
  };
  const ana = await createAna(helve);
  const asker: Principal = { ...admin, onBehalfOf: ana.ref };
  const owners = { admin: admin.id, ana: ana.ref.id };
  return {
    helve,
    asker,
    anaId: ana.ref.id,
    runs: () => runs,
    async getCaller({ agent: name, forAna = false }) {
      return forAna ? plane.actAs(await ana.signedIn(), name) : agents[name];
    },
    async setUp(setup, { again = false } = {}) {
      const id = again ? setups : ++setups;
      const { shopOn, shopTools: enabledTools, vaultOn, states, stallChanged } = setup;
      // The accounts can all be used while the grants are written.
      for (const slug of accountSlugs) await workspace.change([], (tables) => tables.updateConnection(find(slug)));
      for (const name of worldAgents) await plane.replaceGrants(admin, name, listGrants(setup.grants[name], find));
      const policies = setup.policies.map((policy, index) => ({ ...policy, id: `p${id}-${index}` }));
      await plane.replacePolicies(admin, policies);
      for (const { id: waiting } of await plane.approvals(asker, { status: 'pending' }))
        await plane.decideApproval(asker, waiting, 'rejected', 'api');
      await plane.enableTools(admin, 'shop', { enabled: shopOn, ...defined({ enabledTools }) });
      await plane.enableTools(admin, 'vault', { enabled: vaultOn });
      const pin = { ...stallPin, hash: stallChanged ? 'another' : stallPin.hash, pinnedAt: new Date().toISOString() };
      await workspace.change([], async (tables) => {
        for (const slug of accountSlugs) await tables.updateConnection(inState(find(slug), states[slug], owners));
        await tables.putPins([pin]);
      });
      await ana.become(setup.ana);
    },
  };
}

/** Changes her as an admin does. She signs in again when she can. */
async function createAna({ plane, admin }: TestHelve) {
  const { user, link } = await plane.createUser(admin, { name: 'Ana', role: 'admin' });
  const signIn = async (address: string) =>
    (await plane.redeemAdminLink(address.slice(address.indexOf('token=') + 6))).session;
  let session = await signIn(link);
  let state: WorldSetup['ana'] = 'admin';
  const ref: PrincipalRef = { kind: 'user', id: user.id, name: user.name };
  return {
    ref,
    signedIn: () => plane.authenticateSession(session),
    async become(next: WorldSetup['ana']) {
      if (next === state) return;
      const role = next === 'member' ? 'member' : 'admin';
      await plane.changeUser(admin, user.id, { role, disabled: next === 'disabled' });
      if (state === 'disabled') session = await signIn((await plane.issueSignInLink(admin, user.id)).link);
      state = next;
    },
  };
}

type Run = () => Promise<{ done: boolean }>;

function createShop(execute: Run) {
  const tool = (name: string, annotations: { readOnlyHint: boolean; destructiveHint: boolean }, highRisk = false) =>
    defineTool({
      name,
      title: name,
      description: `${name.replace('_', ' ')} of the shop`,
      inputSchema: z.strictObject({ amount: z.int(), note: z.string().optional() }),
      annotations: { ...annotations, idempotentHint: false, openWorldHint: false },
      capabilities: [name.replace('_', ' ')],
      ...(highRisk ? { highRisk } : {}),
      ...(annotations.destructiveHint ? { risk: 'destructive' as const } : {}),
      execute,
    });
  return defineToolkit({
    slug: 'shop',
    title: 'Shop',
    description: 'For tests',
    category: 'tests',
    load: async () => [
      tool('read_price', { readOnlyHint: true, destructiveHint: false }),
      tool('set_price', { readOnlyHint: false, destructiveHint: false }),
      tool('drop_shop', { readOnlyHint: false, destructiveHint: true }),
      tool('pay_invoice', { readOnlyHint: false, destructiveHint: false }, true),
    ],
  });
}

function createVault(execute: Run) {
  const tool = (name: string, readOnlyHint: boolean) =>
    defineTool({
      name,
      title: name,
      description: `${name.replace('_', ' ')} of somebody`,
      inputSchema: z.strictObject({ shelf: z.string().optional() }),
      annotations: { readOnlyHint, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      capabilities: [name.replace('_', ' ')],
      scopes: ['vault.open'],
      execute,
    });
  return { ...vault, load: async () => [tool('open_vault', true), tool('fill_vault', false)] };
}

const stallPin = { toolkit: 'stall', tool: 'sell_item', hash: 'agreed', text: '{}' };

/** Its maker may change its tool at any time. */
function createStall(run: Run): Provider {
  const { toolkit, tool: name, hash, text } = stallPin;
  const inputSchema = { type: 'object', properties: { amount: { type: 'integer' } }, additionalProperties: false };
  const facts = { provider: 'mcp', title: 'Stall', description: 'For tests', category: 'tests' } as const;
  return {
    kind: 'mcp',
    toolkits: async () => [{ ...facts, slug: toolkit, needsConnection: false, internal: false }],
    tools: async () => [testProviderTool({ toolkit, name }, { inputSchema, definition: { hash, text } })],
    execute: async () => ({ output: await run() }),
    close: async () => undefined,
  };
}

function listGrants(
  { shop = [], max, work = [], home = [], stall = false }: WorldGrants,
  find: (slug: string) => Connection,
): GrantInput[] {
  const limit = { properties: { amount: { maximum: max ?? 0 } } };
  const limits = max === undefined ? {} : Object.fromEntries(shop.map((tool) => [tool, limit]));
  const grants = [
    { toolkit: 'shop', tools: shop, limits },
    { toolkit: 'vault', tools: work, limits: {}, connectionId: find('work').id },
    { toolkit: 'vault', tools: home, limits: {}, connectionId: find('home').id },
    { toolkit: 'stall', tools: stall ? [stallPin.tool] : [], limits: {} },
  ];
  return grants.filter(({ tools }) => tools.length > 0).map((grant) => ({ ...grant, config: {} }));
}

function inState(account: Connection, state: AccountState, owners: { readonly admin: string; readonly ana: string }) {
  if (state === 'expired') return { ...account, status: 'expired' as const, reason: 'it ended' };
  if (state === 'private') return { ...account, visibility: 'private' as const, ownerId: owners.admin };
  if (state === 'of Ana') return { ...account, visibility: 'private' as const, ownerId: owners.ana };
  return state === 'no scope' ? { ...account, scopes: [] } : account;
}

/** What happened to a call, as `explain` would say it. */
export interface Observed {
  readonly verdict: Verdict;
  readonly rule: string;
  /** Undefined: the caller was not let in. */
  readonly result?: ToolResult;
}

/** Makes the call. */
export async function observe(world: World, call: WorldCall): Promise<Observed> {
  const principal = await findCaller(world, call);
  // What `explain` says of a caller that no door lets in.
  if (principal === undefined) return { verdict: 'deny', rule: 'principal.person' };
  const { tool, input, intent } = call;
  const result = await world.helve.plane.execute({ principal, tool, input, ...defined({ intent }) });
  const { rule } = result;
  if (result.ok) return { result, rule, verdict: 'allow' };
  return { result, rule, verdict: result.error.code === 'approval_required' ? 'require_approval' : 'deny' };
}

async function findCaller(world: World, call: WorldCall): Promise<Principal | undefined> {
  try {
    return await world.getCaller(call);
  } catch (error) {
    const isRefusal = error instanceof HelveError && ['unauthenticated', 'forbidden'].includes(error.code);
    if (isRefusal) return undefined;
    throw error;
  }
}

/** Without input: calls with any arguments. */
export type Explain = (call: Omit<WorldCall, 'input'> & Partial<Pick<WorldCall, 'input'>>) => Promise<Explanation>;

/** `explain` of the world's plane. */
export function explainIn({ helve, asker, anaId }: World): Explain {
  return ({ agent, tool, input, intent, forAna = false }) => {
    const onBehalfOf = forAna ? anaId : undefined;
    return helve.plane.explain(asker, { agent, tool, ...defined({ input, intent, onBehalfOf }) });
  };
}

/** Explains the call, makes it, and throws with the difference if they do not agree. Returns what happened. */
export async function compareCall(
  world: World,
  call: WorldCall,
  explain: Explain = explainIn(world),
): Promise<Observed & { readonly steps: readonly ExplainStep[] }> {
  const before = await countEffects(world);
  const said = await explain(call);
  if ((await countEffects(world)) !== before) throw difference('explain had an effect', { call, said });
  const runsBefore = world.runs();
  const found = await observe(world, call);
  const { verdict, rule } = found;
  if (said.verdict !== verdict || said.rule !== rule) throw difference('the verdict differs', { call, said, found });
  if (world.runs() - runsBefore !== (verdict === 'allow' ? 1 : 0)) throw difference('the runs differ', { call, found });
  if (!leadTo(said.steps, found)) throw difference('the steps do not lead to the verdict', { call, said, found });
  return { ...found, steps: said.steps };
}

/** Whether somebody who reads only the steps comes to this verdict, and finds its rule. */
function leadTo(steps: readonly ExplainStep[], { verdict, rule }: Observed): boolean {
  const denied = steps.filter((step) => step.verdict === 'deny');
  if (verdict === 'deny') return denied.some((step) => step.rule === rule);
  if (denied.length > 0) return false;
  const asked = steps.find(({ layer, verdict: of }) => layer === 'approval' && of === 'require_approval');
  return verdict === 'require_approval' ? asked?.rule === rule : asked === undefined;
}

/** Rows of the record, which has each approval that was requested, and runs of tools. */
async function countEffects({ helve: { storage, workspaceId }, runs }: World): Promise<string> {
  const { seq } = await storage.workspace(workspaceId).audit.head();
  return JSON.stringify([seq, runs()]);
}

function difference(what: string, facts: object): Error {
  return new Error(`${what}: ${JSON.stringify(facts)}`);
}
