/** The catalogues that were built last, as long as nothing that they were built from has changed. */
import type { Connection } from '../../domain/connection.js';
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import type { Toolkit } from '../../domain/tool.js';
import type { Registry } from '../../registry/index.js';
import { createRecent } from '../../util/recent.js';
import type { Catalogue } from '../calling/index.js';
import { buildCatalogue, type Reports } from './build-catalogue.js';
import type { Section } from './sections.js';

/** What a catalogue is built from. */
export interface Basis {
  readonly configuration: WorkspaceConfiguration;
  /** Of the registry. */
  readonly generation: number;
  /** The same for workspaces with the same tools. */
  readonly place: string;
  /** The toolkits that the workspace chose, as a text. */
  readonly chosen: string;
}

export interface Built {
  readonly catalogue: Promise<Catalogue>;
  /** Undefined while it is being built. */
  ready: Catalogue | undefined;
}

interface Kept extends Built {
  readonly generation: number;
  readonly chosen: string;
  connections: readonly Connection[];
}

export interface Shelf {
  /** Rebuilt if what it depends on has changed, or if one of its toolkits failed a while ago. */
  get(basis: Basis): Built;
  isReady(basis: Basis): boolean;
}

/** How long to wait before a failed toolkit is checked again; the registry decides whether it is read again. */
const retryMs = 5_000;

/** Places whose tools are kept; those of others are built again when they are asked for. */
const maxPlaces = 500;

/** For each place, all tools of the wanted toolkits. */
export function createShelf(registry: Registry, reports: Reports, isWanted: (candidate: Toolkit) => boolean): Shelf {
  const kept = createRecent<Kept>(maxPlaces);
  const find = (basis: Basis): Kept | undefined => {
    const known = kept.get(basis.place);
    return known && isCurrent(known, basis, basis.configuration.connections) ? known : undefined;
  };
  return {
    get(basis) {
      const known = find(basis);
      if (known) return known;
      const { configuration, place } = basis;
      const build = async (told: Reports): Promise<Catalogue> => {
        const toolkits = (await registry.toolkits()).filter(isWanted);
        return buildCatalogue(registry, { configuration, toolkits }, told);
      };
      const built = keep(basis, configuration.connections, { reports, build, forget: () => kept.delete(place) });
      kept.set(place, built);
      return built;
    },
    isReady: (basis) => find(basis)?.ready !== undefined,
  };
}

export interface SectionShelf {
  /** The tools whose names start with the slug of the section. */
  get(basis: Basis, section: Section): Built;
}

/** Maximum number of sections of all places together; others are built again on request. */
const maxSections = 20_000;

/** Changes of other accounts and toolkits leave a section as it is. */
export function createSectionShelf(registry: Registry, reports: Reports): SectionShelf {
  const kept = new Map<string, Kept>();
  return {
    get(basis, { slug, toolkits, connections }) {
      const key = `${basis.place}\n${slug}`;
      const known = kept.get(key);
      if (known && isCurrent(known, basis, connections)) return known;
      const { configuration } = basis;
      const build = (told: Reports) => buildCatalogue(registry, { configuration, toolkits, slug }, told);
      const built = keep(basis, connections, { reports, build, forget: () => kept.delete(key) });
      if (kept.size >= maxSections) kept.clear();
      kept.set(key, built);
      return built;
    },
  };
}

interface Building {
  readonly reports: Reports;
  readonly build: (reports: Reports) => Promise<Catalogue>;
  readonly forget: () => void;
}

function keep({ generation, chosen }: Basis, connections: readonly Connection[], work: Building): Kept {
  const { reports, build, forget } = work;
  const catalogue = build({
    failed: (slug, error) => {
      reports.failed(slug, error);
      setTimeout(forget, retryMs).unref();
    },
    worked: reports.worked,
  });
  const built: Kept = { generation, chosen, connections, catalogue, ready: undefined };
  catalogue.then((ready) => {
    built.ready = ready;
  }, forget);
  return built;
}

/** Whether the catalogue that was kept is that of the present accounts. */
function isCurrent(kept: Kept, { generation, chosen }: Basis, connections: readonly Connection[]): boolean {
  if (kept.generation !== generation || kept.chosen !== chosen) return false;
  if (kept.connections === connections) return true;
  if (!haveSameTools(kept.connections, connections)) return false;
  kept.connections = connections;
  return true;
}

/** A change of who sees an account, or of its state, changes none of its tools. */
function haveSameTools(some: readonly Connection[], others: readonly Connection[]): boolean {
  return some.length === others.length && some.every((one, at) => hasSameTools(one, others[at]));
}

function hasSameTools(one: Connection, other: Connection | undefined): boolean {
  if (one === other) return true;
  const { id, toolkit, slug, scheme } = one;
  return id === other?.id && toolkit === other.toolkit && slug === other.slug && scheme === other.scheme;
}
