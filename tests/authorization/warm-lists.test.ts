/**
 * Processes keep what they have read and derived: catalogues, decisions, pages, indexes. After any change, made by either of two
 * processes, both answer as one that has just started. A run takes always the same changes; a long run takes 200
 * other series.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import type { ToolResult } from '../../src/domain/execution.js';
import type { Policy } from '../../src/domain/grant.js';
import { allPermissions, type Principal } from '../../src/domain/principal.js';
import { defineToolkit, type ToolDefinition } from '../../src/domain/tool.js';
import { createHelve, type Helve } from '../../src/helve.js';
import { testTool } from '../../src/testing/index.js';
import { rounds } from '../../src/testing/rounds.js';

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const burns = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false };
const tools: readonly ToolDefinition[] = [
  testTool({ name: 'look', annotations: reads, description: 'Looks at a page' }),
  testTool({ name: 'note', description: 'Writes a page' }),
  testTool({ name: 'burn', annotations: burns, description: 'Burns a page' }),
];
const kits = ['diary', 'ledger'] as const;
const toolkits = kits.map((slug) =>
  defineToolkit({
    slug,
    title: slug,
    description: 'For tests',
    category: 'tests',
    auth: {
      schemes: [
        { id: 'token', kind: 'api_key', title: 'Token', fields: [{ name: 'token', title: 'Token', secret: true }] },
      ],
    },
    load: async () => tools.map((tool) => ({ ...tool, name: `${tool.name}_${slug}` })),
  }),
);
const accounts = ['diary', 'diary-2', 'ledger'] as const;
const kitOf = (account: number) => kits[account === 2 ? 1 : 0];
const agents = ['first', 'second'] as const;

interface Opened {
  readonly helve: Helve;
  /** Two agents, and two people of whom only one owns the accounts. */
  readonly callers: readonly Principal[];
  readonly admin: Principal;
}

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function open(dataDir: string, keys: readonly string[]): Promise<Opened> {
  const limits = { perIp: null, perCredential: null, perPrincipal: null, perTool: null };
  const helve = await createHelve({ dataDir, toolkits, limits });
  const [owner, other] = await Promise.all(keys.map((key) => helve.plane.authenticate(key)));
  const acting = await Promise.all(agents.map((slug) => helve.plane.actAs(owner as Principal, slug)));
  return { helve, admin: owner as Principal, callers: [...acting, owner as Principal, other as Principal] };
}

/** The ids of the accounts, which keep them through every change, and the keys of the two people. */
async function plant(dataDir: string) {
  const helve = await createHelve({ dataDir, toolkits });
  const { workspaceId } = await helve.ensureWorkspace('default');
  const { principal } = await helve.plane.redeemAdminLink(await helve.adminLink(workspaceId));
  const keys: string[] = [];
  for (let person = 0; person < 2; person += 1)
    keys.push((await helve.plane.createApiKey(principal, { permissions: allPermissions })).secret);
  const owner = await helve.plane.authenticate(keys[0] ?? '');
  for (const slug of agents) await helve.plane.createAgent(owner, { slug });
  const ids: string[] = [];
  for (const [at] of accounts.entries()) {
    const { id } = await helve.plane.addConnection(owner, { toolkit: kitOf(at), name: `Account ${at}` });
    await helve.plane.connect(owner, id, { credentials: { token: 'canary' }, check: false });
    ids.push(id);
  }
  await helve.close();
  return { keys, ids };
}

interface Ground {
  readonly opened: Opened;
  readonly ids: readonly string[];
}
type Change = (ground: Ground, one: number, some: number) => Promise<unknown>;

const some = <Item>(items: readonly Item[], bits: number): Item[] => items.filter((_, at) => (bits >> at) & 1);
const names = kits.flatMap((kit) => tools.map(({ name }) => `${name}_${kit}`));

/** Policies that deny, ask, or allow what would be asked about, by agent, toolkit, tool, risk and arguments. */
const policies: readonly Policy[] = [
  { id: 'kit', effect: 'deny', when: { toolkits: ['ledger'] } },
  { id: 'tool', effect: 'deny', when: { tools: ['diary.note_diary'] } },
  { id: 'agent', effect: 'deny', when: { agents: ['first'], tools: ['*.look_ledger'] } },
  { id: 'risk', effect: 'allow', when: { risk: ['destructive'], toolkits: ['diary'] } },
  { id: 'ask', effect: 'require_approval', when: { agents: ['second'] } },
  {
    id: 'arguments',
    effect: 'deny',
    when: { tools: ['diary.look_diary'], arguments: { type: 'object', required: ['secret'] } },
  },
];

const changes: Readonly<Record<string, Change>> = {
  grants: ({ opened: { helve, admin }, ids }, one, bits) =>
    helve.plane.replaceGrants(
      admin,
      agents[one % 2] ?? 'first',
      some(ids, bits).map((connectionId) => {
        const toolkit = kitOf(ids.indexOf(connectionId));
        const offered = names.filter((name) => name.endsWith(toolkit));
        const granted = some(offered, bits >> 3);
        return { toolkit, connectionId, tools: granted.length === 0 ? offered : granted, limits: {}, config: {} };
      }),
    ),
  policies: ({ opened: { helve, admin } }, _one, bits) => helve.plane.replacePolicies(admin, some(policies, bits)),
  name: ({ opened: { helve, admin }, ids }, one, bits) =>
    helve.plane.changeConnection(admin, ids[one % 3] ?? '', { name: `Account ${bits % 5}` }),
  visibility: ({ opened: { helve, admin }, ids }, one, bits) =>
    helve.plane.changeConnection(admin, ids[one % 3] ?? '', { visibility: bits % 2 ? 'private' : 'workspace' }),
  switch: ({ opened: { helve, admin } }, one, bits) => {
    const kit = kits[one % 2] ?? 'diary';
    const enabledTools = names.filter((name) => name.endsWith(kit)).filter((_, at) => (bits >> at) & 1);
    return helve.plane.enableTools(admin, kit, { enabled: bits % 7 !== 0, enabledTools });
  },
  leave: ({ opened: { helve, admin }, ids }, one) => helve.plane.disconnect(admin, ids[one % 3] ?? ''),
  join: ({ opened: { helve, admin }, ids }, one) =>
    helve.plane.connect(admin, ids[one % 3] ?? '', { credentials: { token: 'canary' }, check: false }),
};

const step = fc.record({
  by: fc.nat(1),
  change: fc.constantFrom(...Object.keys(changes)),
  one: fc.nat(5),
  bits: fc.nat(63),
});

/** Each series begins so: the second agent has all tools, and each of its calls asks. */
const first = [
  { by: 0, change: 'grants', one: 1, bits: 7 },
  { by: 1, change: 'policies', one: 0, bits: 16 },
];

/** A refusal without what differs in every answer. */
function told(result: ToolResult): unknown {
  if (result.ok) return 'ok';
  const { code, message, hint } = result.error;
  return [code, message.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id'), hint];
}

/** All that one caller is shown, and what each of its calls answers. */
async function answersTo({ helve }: Opened, principal: Principal, asked: readonly string[]) {
  const { plane } = helve;
  const listed = await plane.tools(principal, { all: true });
  const paged = await plane.tools(principal, { all: true, limit: 3 });
  const { hits } = await plane.searchTools(principal, { query: 'burn or look at a page' });
  const shown = new Set(listed.map(({ name }) => name));
  const calls: Record<string, unknown> = {};
  for (const name of asked) calls[name] = told(await plane.execute({ principal, tool: name, input: {} }));
  return {
    listed: listed.map(({ name, connectionId }) => [name, connectionId]),
    paged: paged.map(({ name }) => name),
    // What a search finds also depends on what the process has indexed before.
    foundButNotListed: hits.filter(({ name }) => !shown.has(name)),
    calls,
  };
}

/** Whether a call was admitted, at least to the question for a person's approval. */
const admitted = ['ok', 'approval_required'];

const runs = rounds(4, 200);
const chosen = rounds({ seed: 7 }, {});

test('R-grants R-visibility: after every change two processes list, find and refuse what a new process does', {
  timeout: runs * 60_000 + 60_000,
}, async () => {
  const reached = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 10 }), async (steps) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'helve-warm-'));
      ends.push(() => rm(dataDir, { recursive: true, force: true }));
      const { keys, ids } = await plant(dataDir);
      const warm = [await open(dataDir, keys), await open(dataDir, keys)];
      for (const { helve } of warm) ends.push(() => helve.close());
      const seen = new Set<string>();
      for (const [number, { by, change, one, bits }] of [...first, ...steps].entries()) {
        // A change that the present state does not allow is refused by all.
        await changes[change]?.({ opened: warm[by] as Opened, ids }, one, bits).catch(() => undefined);
        const cold = await open(dataDir, keys);
        for (const [at, caller] of cold.callers.entries()) {
          for (const { name } of await cold.helve.plane.tools(caller, { all: true }))
            if (/_(diary|ledger)$/.test(name)) seen.add(name);
          // Calls cost most of the time, so after each change they are those of one caller.
          const asked = number % cold.callers.length === at ? [...seen] : [];
          const expected = await answersTo(cold, caller, asked);
          for (const one of warm) expect(await answersTo(one, one.callers[at] as Principal, asked)).toEqual(expected);
          const shown = new Set(expected.listed.map(([name]) => name));
          for (const [name, answer] of Object.entries(expected.calls)) {
            const code = Array.isArray(answer) ? answer[0] : answer;
            reached.set(code, (reached.get(code) ?? 0) + 1);
            expect([name, admitted.includes(code)]).toEqual([name, shown.has(name)]);
          }
        }
        await cold.helve.close();
      }
      for (const end of ends.splice(0).reverse()) await end();
    }),
    { numRuns: runs, endOnFailure: true, ...chosen },
  );
  // The control of the generator: every answer has been given.
  const expected = [
    'approval_required',
    'connection_inaccessible',
    'denied_by_policy',
    'not_granted',
    'ok',
    'tool_not_found',
  ];
  if ('seed' in chosen) expect([...reached.keys()].toSorted()).toEqual(expected);
});
