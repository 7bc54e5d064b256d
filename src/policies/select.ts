/**
 * Finds the policies that a call may match, without looking at all others: by agent, then by tool or toolkit, then by what the
 * arguments must contain. A list of policies is indexed when it is first asked about; the index lives as long as the list, which must
 * not change.
 */
import type { Policy } from '../domain/grant.js';
import type { JsonObject, JsonSchema } from '../domain/json.js';
import type { ToolId } from '../domain/naming/index.js';
import type { Principal } from '../domain/principal.js';
import type { Tool } from '../domain/tool.js';
import { findOrigin, type Origin } from '../util/lookup.js';
import { type ArgumentKey, findArgumentKey } from './argument-keys.js';
import { exactNames, hasOnlyExactName, writtenForms } from './names.js';

interface Entry {
  readonly position: number;
  readonly policy: Policy;
}

/** Policies with the same agents and names. What they need of the arguments is looked at with the first call that may match them. */
interface Bucket {
  readonly all: Entry[];
  sorted?: ByArguments;
  brief?: readonly Entry[];
}

interface ByArguments {
  /** Entries of which no required value is known: they are always looked at. */
  readonly always: Entry[];
  readonly byProperty: Map<string, { readonly others: Entry[]; readonly byValue: Map<unknown, Entry[]> }>;
}

/** The policies for one agent, or for everybody. */
interface Level {
  readonly byName: Map<string, Bucket>;
  /** By a form of a name that is not its identity: such a policy restricts, and never allows. */
  readonly byForm: Map<string, Bucket>;
  readonly byToolkit: Map<string, Bucket>;
  /** Under the empty text: those that look at no name. */
  readonly others: Map<string, Bucket>;
}

interface Index {
  readonly everybody: Level;
  readonly byAgent: Map<string, Level>;
  /** Numbers that grow along the list. Indices that were made from each other share them. */
  readonly positions: WeakMap<Policy, number>;
  /** What a brief selection finds for everybody, by the tools of lists, which ask again and again. */
  readonly brief: WeakMap<ToolId, readonly Entry[]>;
}

export interface Selection {
  readonly principal: Pick<Principal, 'kind' | 'id' | 'name'>;
  readonly tool: Pick<Tool, 'id'>;
  /** Undefined for any arguments. */
  readonly input?: JsonObject | undefined;
  /** Without arguments: leaves out policies that can only add a rule to the answer, and change nothing else of it. */
  readonly isBrief?: boolean;
}

const indices = new WeakMap<readonly Policy[], Index>();
const none: readonly Policy[] = [];

/** Returns, in their order, all policies that match the call, and perhaps some that do not. */
export function selectPolicies(policies: readonly Policy[], selection: Selection): readonly Policy[] {
  if (policies.length === 0) return none;
  const index = getIndex(policies);
  const found: Entry[] = [];
  const isBrief = selection.isBrief === true && selection.input === undefined;
  if (isBrief) for (const entry of briefForEverybody(index, selection)) found.push(entry);
  else collect(index.everybody, selection, found);
  for (const level of ownLevels(index, selection.principal)) collect(level, selection, found);
  return inOrder(found);
}

/** Whether a policy that names this agent may match a call of the tool. All others are decided about alike. */
export function hasOwnPolicies(policies: readonly Policy[], { principal, tool }: Selection): boolean {
  if (policies.length === 0) return false;
  const found: Entry[] = [];
  for (const level of ownLevels(getIndex(policies), principal))
    collect(level, { principal, tool, isBrief: true }, found);
  return found.length > 0;
}

const noLevels: readonly Level[] = [];

function ownLevels({ byAgent }: Index, { kind, id, name }: Selection['principal']): readonly Level[] {
  if (kind !== 'agent') return noLevels;
  const mine = byAgent.get(id);
  const named = name === id ? undefined : byAgent.get(name);
  if (mine && named) return [mine, named];
  const only = mine ?? named;
  return only ? [only] : noLevels;
}

function briefForEverybody({ everybody, brief }: Index, selection: Selection): readonly Entry[] {
  const { id } = selection.tool;
  const known = brief.get(id);
  if (known) return known;
  const found: Entry[] = [];
  collect(everybody, selection, found);
  brief.set(id, found);
  return found;
}

function getIndex(policies: readonly Policy[]): Index {
  let index = indices.get(policies);
  if (index === undefined) {
    const origin = findOrigin(policies);
    const before = origin && indices.get(origin.from);
    index = (before && changeIndex(before, policies, origin)) ?? createIndex(policies);
    indices.set(policies, index);
  }
  return index;
}

function createIndex(policies: readonly Policy[]): Index {
  const index: Index = {
    everybody: createLevel(),
    byAgent: new Map(),
    positions: new WeakMap(),
    brief: new WeakMap(),
  };
  for (const [position, policy] of policies.entries()) {
    index.positions.set(policy, position);
    const { agents } = policy.when;
    const levels = agents
      ? [...new Set(agents)].map((agent) => getOrAdd(index.byAgent, agent, createLevel))
      : [index.everybody];
    for (const level of levels)
      for (const [kind, text] of placesOf(policy))
        getOrAdd(level[kind], text, createBucket).all.push({ position, policy });
  }
  return index;
}

/**
 * The index of a list that was made from another by a few changes: only what these policies are found under is made again. The other
 * index stays as it is. Undefined if no numbers are left between two neighbours.
 */
function changeIndex(
  before: Index,
  policies: readonly Policy[],
  { removed, added }: Origin<Policy>,
): Index | undefined {
  const { positions } = before;
  if (!numberAdded(positions, policies, new Set(added))) return undefined;
  const changed = [...removed, ...added];
  const isOwn = changed.every(({ when }) => when.agents !== undefined);
  const index = {
    everybody: isOwn ? before.everybody : copyLevel(before.everybody),
    byAgent: new Map(before.byAgent),
    positions,
    brief: isOwn ? before.brief : new WeakMap(),
  };
  for (const agent of new Set(changed.flatMap(({ when }) => when.agents ?? [])))
    index.byAgent.set(agent, copyLevel(before.byAgent.get(agent) ?? createLevel()));
  const gone = new Set(removed);
  for (const policy of changed)
    for (const agent of new Set(policy.when.agents ?? [undefined])) {
      const level = agent === undefined ? index.everybody : index.byAgent.get(agent);
      if (level) changeLevel(level, { policy, position: positions.get(policy) ?? 0 }, gone.has(policy));
    }
  for (const [agent, level] of index.byAgent) if (isEmpty(level)) index.byAgent.delete(agent);
  return index;
}

/** Gives each new policy a number between those of its neighbours, if there is one. */
function numberAdded(
  positions: WeakMap<Policy, number>,
  policies: readonly Policy[],
  added: ReadonlySet<Policy>,
): boolean {
  for (const policy of added) {
    const at = policies.indexOf(policy);
    const before = policies[at - 1];
    const after = policies.slice(at + 1).find((other) => !added.has(other));
    const low = (before && positions.get(before)) ?? -1;
    const high = (after && positions.get(after)) ?? low + 2;
    const position = (low + high) / 2;
    if (position <= low || position >= high) return false;
    positions.set(policy, position);
  }
  return true;
}

function changeLevel(level: Level, entry: Entry, isRemoved: boolean): void {
  for (const [kind, text] of placesOf(entry.policy)) {
    const all = (level[kind].get(text)?.all ?? []).filter(({ policy }) => policy !== entry.policy);
    if (!isRemoved) all.splice(all.findLastIndex(({ position }) => position < entry.position) + 1, 0, entry);
    if (all.length > 0) level[kind].set(text, { all });
    else level[kind].delete(text);
  }
}

type Place = readonly [kind: 'byName' | 'byForm' | 'byToolkit' | 'others', text: string];

/** Where a policy is found: under each of its names, else under its toolkits. */
function placesOf({ effect, when: { tools, toolkits } }: Policy): readonly Place[] {
  if (tools && !tools.includes('*'))
    return [...new Set(tools)].flatMap((text): readonly Place[] => {
      const isExact = effect === 'allow' || hasOnlyExactName(text);
      return isExact
        ? [['byName', text]]
        : [
            ['byName', text],
            ['byForm', text],
          ];
    });
  if (toolkits) return [...new Set(toolkits)].map((toolkit): Place => ['byToolkit', toolkit]);
  return [['others', '']];
}

/** Of policies for the same calls, but for their arguments, and with the same effect: the first. Each with a rate limit stays. */
function firstOfEach(all: readonly Entry[]): readonly Entry[] {
  const seen = new Set<string>();
  return all.filter(({ policy: { effect, elicitation = null, rateLimit, when } }) => {
    if (rateLimit) return true;
    const { arguments: shape, ...others } = when;
    const key = JSON.stringify([effect, elicitation, looksAtArguments(shape), others]);
    return seen.size < seen.add(key).size;
  });
}

/** An empty schema holds for all arguments. */
export function looksAtArguments(shape: JsonSchema | undefined): boolean {
  return shape !== undefined && Object.keys(shape).length > 0;
}

function sortByArguments(all: readonly Entry[]): ByArguments {
  const sorted: ByArguments = { always: [], byProperty: new Map() };
  for (const entry of all) {
    const { arguments: shape } = entry.policy.when;
    fill(sorted, entry, shape && findArgumentKey(shape));
  }
  return sorted;
}

function fill({ always, byProperty }: ByArguments, entry: Entry, key: ArgumentKey | undefined): void {
  if (key === undefined) {
    always.push(entry);
    return;
  }
  const entries = getOrAdd(byProperty, key.property, () => ({ others: [], byValue: new Map() }));
  if (key.values === undefined) entries.others.push(entry);
  else for (const value of new Set(key.values)) getOrAdd(entries.byValue, value, () => []).push(entry);
}

function collect(level: Level, selection: Selection, found: Entry[]): void {
  const { id } = selection.tool;
  add(level.others.get(''), selection, found);
  if (level.byToolkit.size > 0) add(level.byToolkit.get(id.toolkit), selection, found);
  if (level.byName.size > 0) for (const name of exactNames(id)) add(level.byName.get(name), selection, found);
  if (level.byForm.size > 0) for (const form of writtenForms(id)) add(level.byForm.get(form), selection, found);
}

function add(bucket: Bucket | undefined, { input, isBrief = false }: Selection, found: Entry[]): void {
  if (bucket === undefined) return;
  if (input === undefined) {
    if (isBrief) bucket.brief ??= firstOfEach(bucket.all);
    for (const entry of (isBrief && bucket.brief) || bucket.all) found.push(entry);
    return;
  }
  bucket.sorted ??= sortByArguments(bucket.all);
  const { always, byProperty } = bucket.sorted;
  for (const entry of always) found.push(entry);
  if (byProperty.size === 0) return;
  for (const [property, { others, byValue }] of present(byProperty, input)) {
    for (const entry of others) found.push(entry);
    for (const entry of byValue.get(input[property]) ?? []) found.push(entry);
  }
}

/** The properties that both the rules and the arguments name. */
function* present(byProperty: ByArguments['byProperty'], input: JsonObject) {
  const names = Object.keys(input);
  if (names.length > byProperty.size) {
    for (const entry of byProperty) if (Object.hasOwn(input, entry[0])) yield entry;
    return;
  }
  for (const name of names) {
    const entries = byProperty.get(name);
    if (entries) yield [name, entries] as const;
  }
}

/** Each once, although it may be found by several names. */
function inOrder(found: Entry[]): readonly Policy[] {
  if (found.length > 1) found.sort((one, other) => one.position - other.position);
  return found
    .filter(({ position }, at) => at === 0 || found[at - 1]?.position !== position)
    .map(({ policy }) => policy);
}

function createLevel(): Level {
  return { byName: new Map(), byForm: new Map(), byToolkit: new Map(), others: new Map() };
}

function copyLevel({ byName, byForm, byToolkit, others }: Level): Level {
  return { byName: new Map(byName), byForm: new Map(byForm), byToolkit: new Map(byToolkit), others: new Map(others) };
}

function isEmpty({ byName, byForm, byToolkit, others }: Level): boolean {
  return [byName, byForm, byToolkit, others].every(({ size }) => size === 0);
}

function createBucket(): Bucket {
  return { all: [] };
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = create();
  map.set(key, made);
  return made;
}
