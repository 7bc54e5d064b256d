/** The storage contract's part about a configuration that is read again: only what has changed, and never something else than all of it. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Connection } from '../domain/connection.js';
import type { GrantInput, Policy, WorkspaceConfiguration } from '../domain/grant.js';
import type { ConfigurationTables, WorkspaceStorage } from '../domain/storage.js';
import { agent, type ContractParts, credential, time } from './storage-fixtures.js';

const connection = (id: string, number: number): Connection => ({
  id,
  toolkit: 'mail',
  name: `Account ${number}`,
  slug: `slug-${id}`,
  status: number % 2 === 0 ? 'active' : 'expired',
  visibility: 'workspace',
  ownerId: 'u1',
  scheme: 'token',
  settings: {},
  createdAt: time(id.charCodeAt(1) % 3),
});
const grant = (connectionId: string, number: number): GrantInput => ({
  toolkit: 'mail',
  connectionId,
  tools: [`tool${number}`],
  limits: {},
  config: {},
});
const pin = (number: number) => ({ toolkit: 'mail', tool: 'send', hash: `h${number}`, text: '{}', pinnedAt: time(0) });

const policy = (id: string, reason: string): Policy => ({ id, effect: 'deny', when: {}, reason });

/** Lists that have most policies in common, some of them in another order or with another reason. */
function somePolicies(id: string, number: number): Policy[] {
  const all = ['p1', 'p2', 'p3', 'p4', 'p5'].map((each) =>
    policy(each, each === `p${id}` ? `reason ${number}` : 'same'),
  );
  const kept = all.filter((_, at) => at !== number);
  return number % 4 === 3 ? [...kept.slice(2), ...kept.slice(0, 2)] : kept;
}

type Step = (tables: ConfigurationTables, id: string, number: number) => Promise<unknown>;

/** Everything that changes a configuration; what is refused in the present state undoes its whole change. */
const steps: readonly Step[] = [
  (tables, id) => tables.insertAgent(agent(`a${id}`)),
  (tables, id, number) => tables.changeAgent(`a${id}`, { name: `Name ${number}` }),
  (tables, id) => tables.deleteAgent(`a${id}`),
  (tables, id, number) => tables.replaceGrants(`a${id}`, [grant('c1', number), grant('c2', number)]),
  (tables, id, number) => tables.replaceGrants(`a${id}`, [grant(`c${id}`, number)]),
  (tables, _id, number) => tables.replacePolicies([{ id: `p${number}`, effect: 'deny', when: {} }]),
  (tables, id, number) => tables.putToolkitSetting({ toolkit: `t${id}`, enabled: number % 2 === 0 }),
  (tables, id, number) => tables.insertConnection(connection(`c${id}`, number)),
  (tables, id, number) => tables.updateConnection(connection(`c${id}`, number)),
  (tables, id) => tables.deleteConnection(`c${id}`),
  (tables, _id, number) => tables.putPins([pin(number)]),
  (tables, id, number) =>
    tables.insertCredential(credential(`k${number}`, { hash: `k${number}-${Math.random()}`, principalId: `a${id}` })),
  (tables, id, number) => tables.replacePolicies(somePolicies(id, number)),
];
const change = fc.array(
  fc.tuple(fc.constantFrom(...steps), fc.constantFrom('1', '2', '3', '4'), fc.integer({ min: 0, max: 9 })),
  { minLength: 1, maxLength: 3 },
);

async function make(scope: WorkspaceStorage, work: readonly (readonly [Step, string, number])[]): Promise<void> {
  const done = scope.change([], async (tables) => {
    for (const [step, id, number] of work) await step(tables, id, number);
  });
  // Refused: the configuration stays as it was.
  await done.catch((error) => expect(['conflict', 'not_found', 'storage_failed']).toContain(error.code));
}

export function changesContract({ one, under }: ContractParts): void {
  it('R-layers: what is read since any earlier revision is exactly what is there, also by another process', async () => {
    const other = await under().second();
    const elsewhere = other.workspace(one().workspaceId);
    const before: WorkspaceConfiguration[] = [await one().configuration()];
    await fc.assert(
      fc.asyncProperty(change, fc.nat(), async (work, at) => {
        await make(one(), work);
        const now = await one().configuration();
        const known = before[at % before.length] as WorkspaceConfiguration;
        const unchanged = structuredClone(known);
        expect(await elsewhere.configuration(known)).toEqual(now);
        expect(await elsewhere.configuration(before.at(-1))).toEqual(now);
        // What somebody has read is never changed under them.
        expect(known).toEqual(unchanged);
        before.push(now);
      }),
      { numRuns: 150 },
    );
    expect(before.at(-1)?.revision).toBeGreaterThan(40);
    await other.close();
  });

  it('R-layers: what has not changed is not read again', async () => {
    await make(one(), [[steps[0] as Step, '1', 1]]);
    await make(one(), [
      [steps[0] as Step, '2', 1],
      [steps[7] as Step, '1', 1],
      [steps[7] as Step, '2', 1],
      [steps[5] as Step, '1', 1],
    ]);
    const known = await one().configuration();
    expect(await one().configuration(known)).toBe(known);
    await make(one(), [[steps[3] as Step, '1', 1]]);
    const now = await one().configuration(known);
    expect(now.grants).toHaveLength(2);
    for (const part of ['agents', 'policies', 'toolkits', 'connections', 'pins'] as const)
      expect(now[part]).toBe(known[part]);
    await make(one(), [[steps[8] as Step, '1', 2]]);
    const later = await one().configuration(now);
    expect(later.grants).toBe(now.grants);
    expect(later.connections.map(({ name }) => name)).toEqual(['Account 2', 'Account 1']);
    expect(later.connections[1]).toBe(now.connections.find(({ id }) => id === 'c2'));
  });

  it('R-layers: of policies that are replaced, only those that differ are read again, in their order', async () => {
    const replace = (...policies: Policy[]) => one().change([], (tables) => tables.replacePolicies(policies));
    const [a, b, c] = ['a', 'b', 'c'].map((id) => policy(id, 'first')) as [Policy, Policy, Policy];
    await replace(a, b, c);
    const known = await one().configuration();
    const next = async (...policies: Policy[]) => {
      await replace(...policies);
      const now = await one().configuration(known);
      expect(now.policies).toEqual(policies);
      expect(now.policyVersion).toBeGreaterThan(known.policyVersion);
      return now.policies.map((each) => known.policies.includes(each));
    };
    expect(await next(a, b, c)).toEqual([true, true, true]);
    expect(await next(a, { ...b, reason: 'second' }, c)).toEqual([true, false, true]);
    expect(await next(a, c, policy('d', 'new'))).toEqual([true, true, false]);
    expect(await next(policy('d', 'new'), a, c)).toEqual([false, false, false]);
    expect(await next()).toEqual([]);
  });

  it('attack: a configuration from before the oldest note, or from a later revision, is read as a whole', async () => {
    await make(one(), [[steps[0] as Step, '1', 1]]);
    const now = await one().configuration();
    const wrong = { ...now, agents: [], grants: [] };
    for (const revision of [now.revision - 600, 0, now.revision + 1])
      expect(await one().configuration({ ...wrong, revision })).toEqual(now);
    // The control: what is said to be known is believed.
    expect((await one().configuration({ ...wrong, revision: now.revision })).agents).toEqual([]);
  });
}
