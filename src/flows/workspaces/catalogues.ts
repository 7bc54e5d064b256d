/** The tools of each workspace, rebuilt when its connections or the tools themselves change. */

import type { Connection } from '../../domain/connection.js';
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import type { Storage } from '../../domain/storage.js';
import type { Registry } from '../../registry/index.js';
import { createLookup } from '../../util/lookup.js';
import { createSlices } from '../../util/slices.js';
import { type Catalogue, type CatalogueTarget, type FindCatalogue, joinCatalogues } from '../calling/index.js';
import { pinUnknown, type Reports } from './build-catalogue.js';
import type { ConfigurationCache } from './configurations.js';
import { isOutside, waitForToolkit } from './outside-toolkits.js';
import {
  findSection,
  indexToolkits,
  type Section,
  slugOfName,
  slugWithoutAccount,
  type ToolkitIndex,
} from './sections.js';
import { type Basis, createSectionShelf, createShelf } from './shelves.js';
import { chosenToolkits } from './toolkit-facts.js';

interface CatalogueParts {
  readonly registry: Registry;
  readonly configurations: ConfigurationCache;
  readonly storage: Storage;
  readonly now: () => Date;
  readonly reportError: (error: unknown) => void;
}

export interface Catalogues {
  readonly find: FindCatalogue;
  /** Only tools that need no document and no server: our own, and those of the stored catalogue. */
  own(workspaceId: string): Promise<Catalogue>;
}

interface State extends Basis {
  /** Catalogues of sections that names were found in, by slug. */
  readonly found: Map<string, Catalogue>;
}

/** Joined catalogues that are kept. */
const maxJoined = 1_000;
const turnMs = 5;

const connectionsById = createLookup(({ id }: Connection) => id);

/** Creates the cache of the workspaces' tools. */
export function createCatalogues(parts: CatalogueParts): Catalogues {
  const reports = createReports(parts.reportError);
  const whole = createShelf(parts.registry, reports, () => true);
  const withoutOutside = createShelf(parts.registry, reports, (candidate) => !isOutside(candidate));
  /** Sections of a workspace's tools, so that a caller who needs a few of them does not wait for all. */
  const sections = createSectionShelf(parts.registry, reports);
  const states = new WeakMap<WorkspaceConfiguration, State>();
  const lookedAt = new WeakMap<Catalogue, Set<string>>();
  const joined = createJoined();

  async function getState(workspaceId: string): Promise<State> {
    const configuration = await parts.configurations.get(workspaceId);
    const { generation } = parts.registry;
    const known = states.get(configuration);
    if (known?.generation === generation) return known;
    const state = makeState(configuration, generation);
    states.set(configuration, state);
    return state;
  }

  const getIndex = async (): Promise<ToolkitIndex> => indexToolkits(await parts.registry.toolkits());

  /** Without the tools of documents and servers: immediately available. Without such toolkits it is the whole catalogue. */
  const getOwn = async (state: State): Promise<Catalogue> =>
    ((await getIndex()).hasOutside ? withoutOutside : whole).get(state).catalogue;

  /** `find`, which for most forms needs an index of all names. */
  async function findIn(catalogue: Catalogue, name: string): Promise<boolean> {
    await catalogue.prepareMatch(name);
    return catalogue.find(name) !== undefined;
  }

  /** The tools under the slug that the name starts with, if the name is exactly that of one of them. */
  async function findNear(state: State, name: string): Promise<Catalogue | undefined> {
    const section = findSection(await getIndex(), state.configuration.connections, slugOfName(name));
    if (section === undefined || section.isMixed) return undefined;
    const catalogue = await pinned(state, sections.get(state, section).catalogue);
    if (!catalogue.hasName(name)) return undefined;
    state.found.set(section.slug, catalogue);
    return catalogue;
  }

  async function findNamed(state: State, name: string): Promise<Catalogue> {
    const { workspaceId } = state.configuration;
    if (!whole.isReady(state)) {
      const known = state.found.get(slugOfName(name));
      if (known?.hasName(name)) return known;
      const found = await findNear(state, name);
      if (found) return found;
      // A call of one of our own tools waits for no external source.
      const mine = await getOwn(state);
      if (await findIn(mine, name)) return mine;
    }
    const catalogue = await pinned(state, whole.get(state).catalogue);
    if ((await findIn(catalogue, name)) || !(await waitForToolkit(name, parts.registry, state.configuration)))
      return catalogue;
    const after = await getState(workspaceId);
    const complete = await pinned(after, whole.get(after).catalogue);
    await complete.prepareMatch(name);
    return complete;
  }

  /** The sections of the targets, and that of our own tools without accounts. */
  async function findTargets(state: State, targets: readonly CatalogueTarget[]): Promise<Catalogue> {
    const index = await getIndex();
    const { connections } = state.configuration;
    const slugs = slugsOf(targets, connections, index);
    const wanted = slugs.flatMap((slug) => findSection(index, connections, slug) ?? []);
    const building: Promise<Catalogue>[] = [];
    const slices = createSlices(turnMs);
    for (const section of wanted) {
      const one = pinned(state, sections.get(state, section).catalogue);
      // It may fail while later ones have not begun. `Promise.all` below reports it.
      one.catch(() => undefined);
      building.push(one);
      await slices.rest();
    }
    const catalogues = await Promise.all(building);
    return joined(`${state.place}\n${slugs.join(' ')}`, catalogues, () =>
      joinCatalogues(catalogues, { toolkits: index.positions, accounts: positionsOf(wanted) }),
    );
  }

  /** Once per workspace and set of tools. */
  async function pinned({ configuration }: State, building: Promise<Catalogue>): Promise<Catalogue> {
    const catalogue = await building;
    const looked = lookedAt.get(catalogue) ?? new Set<string>();
    lookedAt.set(catalogue, looked);
    if (looked.has(configuration.workspaceId)) return catalogue;
    await pinUnknown(parts, configuration, catalogue.entries);
    looked.add(configuration.workspaceId);
    return catalogue;
  }

  return {
    own: async (workspaceId) => getOwn(await getState(workspaceId)),
    async find(workspaceId, wanted) {
      const state = await getState(workspaceId);
      if (wanted === undefined) return pinned(state, whole.get(state).catalogue);
      return typeof wanted === 'string' ? findNamed(state, wanted) : findTargets(state, wanted);
    },
  };
}

function makeState(configuration: WorkspaceConfiguration, generation: number): State {
  const { connections, workspaceId, toolkits } = configuration;
  const chosen = chosenToolkits(toolkits).join(' ');
  // Most workspaces of an installation have the same connections: none.
  const place = connections.length === 0 && chosen === '' ? '' : workspaceId;
  return { configuration, generation, place, chosen, found: new Map() };
}

function slugsOf(
  targets: readonly CatalogueTarget[],
  connections: readonly Connection[],
  { bySlug }: ToolkitIndex,
): readonly string[] {
  const slugs = new Set(['']);
  for (const { toolkit, connectionId } of targets) {
    const [account] = connectionId === undefined ? [] : connectionsById(connections, connectionId);
    const known = bySlug.get(toolkit);
    if (account) slugs.add(account.slug);
    else if (known) slugs.add(slugWithoutAccount(known));
  }
  return [...slugs];
}

/** The accounts in the order of their creation, as in a configuration. */
function positionsOf(sections: readonly Section[]): ReadonlyMap<string, number> {
  const inOrder = sections
    .flatMap(({ connections }) => connections)
    .sort((one, other) => compare(one.createdAt, other.createdAt) || compare(one.id, other.id));
  return new Map(inOrder.map(({ id }, at) => [id, at]));
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Joins catalogues, and keeps what it joined for as long as they are the same. */
function createJoined() {
  const kept = new Map<string, { readonly parts: readonly Catalogue[]; readonly whole: Catalogue }>();
  return (key: string, parts: readonly Catalogue[], join: () => Catalogue): Catalogue => {
    const known = kept.get(key);
    if (known?.parts.length === parts.length && known.parts.every((one, at) => one === parts[at])) return known.whole;
    const whole = join();
    const [oldest = ''] = kept.keys();
    if (kept.size >= maxJoined) kept.delete(oldest);
    kept.set(key, { parts, whole });
    return whole;
  };
}

/** A repeated failure with the same reason is reported once. */
function createReports(reportError: (error: unknown) => void): Reports {
  const told = new Map<string, string>();
  return {
    failed(slug, error) {
      const message = error instanceof Error ? error.message : String(error);
      if (told.get(slug) === message) return;
      told.set(slug, message);
      reportError(error);
    },
    worked: (slug) => void told.delete(slug),
  };
}
