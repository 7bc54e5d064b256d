/** The tools of each workspace, rebuilt when its connections or the tools themselves change. */

import type { Connection } from '../../domain/connection.js';
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import type { Storage } from '../../domain/storage.js';
import type { Toolkit } from '../../domain/tool.js';
import type { Registry } from '../../registry/index.js';
import { computedOnce } from '../../util/computed-once.js';
import type { Catalogue, FindCatalogue } from '../calling/index.js';
import { buildCatalogue, pinUnknown, type Reports } from './build-catalogue.js';
import type { ConfigurationCache } from './configurations.js';
import { isOutside, waitForToolkit } from './outside-toolkits.js';
import { everything, findSections, type Section, type Sections, slugOfName } from './sections.js';
import { chosenToolkits } from './toolkit-facts.js';

interface CatalogueParts {
  readonly registry: Registry;
  readonly configurations: ConfigurationCache;
  readonly storage: Storage;
  readonly now: () => Date;
  readonly reportError: (error: unknown) => void;
}

interface Built {
  readonly catalogue: Promise<Catalogue>;
  /** Undefined while it is being built. */
  ready: Catalogue | undefined;
}

export interface Catalogues {
  readonly find: FindCatalogue;
  /** Only tools that need no document and no server: our own, and those of the stored catalogue. */
  own(workspaceId: string): Promise<Catalogue>;
}

/** How long to wait before a failed toolkit is checked again; the registry decides whether it is read again. */
const retryMs = 5_000;

interface State {
  readonly configuration: WorkspaceConfiguration;
  readonly generation: number;
  /** The same for workspaces with the same tools. */
  readonly place: string;
  readonly key: string;
  readonly sections: () => Promise<Sections>;
  /** Catalogues of sections that names were found in, by slug. */
  readonly found: Map<string, Catalogue>;
}

/** Creates the cache of the workspaces' tools. */
export function createCatalogues(parts: CatalogueParts): Catalogues {
  const reports = createReports(parts.reportError);
  const whole = createShelf(parts.registry, reports, () => true);
  /** Without the tools of documents and servers: immediately available. */
  const own = createShelf(parts.registry, reports, (candidate) => !isOutside(candidate));
  /** Sections of a workspace's tools, so that a call of one tool need not wait for all of them. */
  const near = createShelf(parts.registry, reports, () => true);
  const states = new WeakMap<WorkspaceConfiguration, State>();
  const lookedAt = new WeakMap<Catalogue, Set<string>>();
  // Most workspaces of an installation have the same connections: none.
  const keys = new WeakMap<readonly Connection[], string>();

  async function getState(workspaceId: string): Promise<State> {
    const configuration = await parts.configurations.get(workspaceId);
    const { generation } = parts.registry;
    const known = states.get(configuration);
    if (known?.generation === generation) return known;
    const state = makeState(configuration, generation);
    states.set(configuration, state);
    return state;
  }

  function makeState(configuration: WorkspaceConfiguration, generation: number): State {
    const { connections, workspaceId } = configuration;
    let ofConnections = keys.get(connections);
    if (ofConnections === undefined) {
      ofConnections = connectionsKey(connections);
      keys.set(connections, ofConnections);
    }
    const used = chosenToolkits(configuration.toolkits);
    const place = connections.length + used.length === 0 ? '' : workspaceId;
    const key = `${generation}\n${ofConnections}\n${used.join(' ')}`;
    const sections = computedOnce(async () => findSections(await parts.registry.toolkits(), connections));
    return { configuration, generation, place, key, sections, found: new Map() };
  }

  /** The tools under the slug that the name starts with, if the name is exactly that of one of them. */
  async function findNear(state: State, name: string): Promise<Catalogue | undefined> {
    const section = (await state.sections()).get(slugOfName(name));
    if (section === undefined) return undefined;
    const catalogue = await pinned(state, near.get(state, section).catalogue);
    if (!catalogue.hasName(name)) return undefined;
    state.found.set(section.slug, catalogue);
    return catalogue;
  }

  /** Once per workspace and set of tools. */
  async function pinned({ configuration }: State, building: Promise<Catalogue>): Promise<Catalogue> {
    const catalogue = await building;
    const looked = lookedAt.get(catalogue) ?? new Set<string>();
    lookedAt.set(catalogue, looked);
    if (looked.has(configuration.workspaceId)) return catalogue;
    await pinUnknown(parts, configuration, catalogue);
    looked.add(configuration.workspaceId);
    return catalogue;
  }

  return {
    own: async (workspaceId) => own.get(await getState(workspaceId)).catalogue,
    async find(workspaceId, name) {
      const state = await getState(workspaceId);
      if (name !== undefined && !whole.isReady(state)) {
        const known = state.found.get(slugOfName(name));
        if (known?.hasName(name)) return known;
        const found = await findNear(state, name);
        if (found) return found;
        // A call of one of our own tools waits for no external source.
        const mine = await own.get(state).catalogue;
        if (mine.find(name)) return mine;
      }
      const catalogue = await pinned(state, whole.get(state).catalogue);
      if (name === undefined || catalogue.find(name)) return catalogue;
      if (!(await waitForToolkit(name, parts.registry, state.configuration))) return catalogue;
      const after = await getState(workspaceId);
      return pinned(after, whole.get(after).catalogue);
    },
  };
}

interface Shelf {
  /** Rebuilt if its key has changed, or if one of its toolkits failed a while ago. `section`: only these toolkits. */
  get(state: State, section?: Section): Built;
  isReady(state: State): boolean;
}

/** The catalogues that were built last, of the wanted toolkits: those of one key for each place, by the slugs of their sections. */
function createShelf(registry: Registry, reports: Reports, wanted: (candidate: Toolkit) => boolean): Shelf {
  const kept = new Map<string, { readonly key: string; readonly built: Map<string, Built> }>();
  return {
    get({ place, key, configuration }, section = everything) {
      let shelf = kept.get(place);
      if (shelf?.key !== key) {
        shelf = { key, built: new Map() };
        kept.set(place, shelf);
      }
      const { built: ofSections } = shelf;
      const known = ofSections.get(section.slug);
      if (known) return known;
      const forget = (): void => void ofSections.delete(section.slug);
      const isWanted = (candidate: Toolkit): boolean => wanted(candidate) && section.has(candidate.slug);
      const catalogue = buildCatalogue(
        registry,
        { configuration, isWanted },
        {
          failed: (slug, error) => {
            reports.failed(slug, error);
            setTimeout(forget, retryMs).unref();
          },
          worked: reports.worked,
        },
      );
      const built: Built = { catalogue, ready: undefined };
      ofSections.set(section.slug, built);
      catalogue.then((ready) => {
        built.ready = ready;
      }, forget);
      return built;
    },
    isReady({ place, key }) {
      const shelf = kept.get(place);
      return shelf?.key === key && shelf.built.get(everything.slug)?.ready !== undefined;
    },
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

function connectionsKey(connections: readonly Connection[]): string {
  return connections.map(({ id, toolkit, slug, scheme }) => `${id} ${toolkit} ${slug} ${scheme}`).join('\n');
}
