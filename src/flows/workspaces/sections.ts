/**
 * Which toolkits a name can belong to. The name of a tool that a model is given starts with the slug of its account, or with that of
 * its toolkit; only our own tools without accounts have names without a slug. Two tools can only compete for a name under one slug, so
 * the toolkits and accounts of a slug give each of their tools the name that it has in the whole workspace.
 */
import type { Connection } from '../../domain/connection.js';
import { slugify } from '../../domain/naming/index.js';
import type { Toolkit } from '../../domain/tool.js';
import { createLookup } from '../../util/lookup.js';
import { isOutside } from './outside-toolkits.js';

export interface Section {
  /** Empty for our own tools without accounts. */
  readonly slug: string;
  readonly toolkits: readonly Toolkit[];
  /** The accounts with this slug. */
  readonly connections: readonly Connection[];
  /** Whether the slug has both our own tools and tools of servers or documents. Our own must not wait for the others. */
  readonly isMixed: boolean;
}

/** The toolkits of an installation, by what is asked of them. */
export interface ToolkitIndex {
  readonly bySlug: ReadonlyMap<string, Toolkit>;
  /** By the slug that names of tools without accounts start with. */
  readonly byNameSlug: ReadonlyMap<string, readonly Toolkit[]>;
  readonly positions: ReadonlyMap<string, number>;
  /** Whether some have tools from elsewhere. */
  readonly hasOutside: boolean;
}

const connectionsBySlug = createLookup(({ slug }: Connection) => slug);

/** Returns the slug that a name starts with; empty if it has none. */
export function slugOfName(name: string): string {
  return name.slice(0, Math.max(name.indexOf('__'), 0));
}

const indices = new WeakMap<readonly Toolkit[], ToolkitIndex>();

/** Made once per list, which must not change. */
export function indexToolkits(toolkits: readonly Toolkit[]): ToolkitIndex {
  const known = indices.get(toolkits);
  if (known) return known;
  const byNameSlug = new Map<string, Toolkit[]>();
  const add = (slug: string, toolkit: Toolkit): void => {
    const members = byNameSlug.get(slug);
    if (members) members.push(toolkit);
    else byNameSlug.set(slug, [toolkit]);
  };
  for (const toolkit of toolkits) {
    if (isBare(toolkit)) add('', toolkit);
    add(slugify(toolkit.slug), toolkit);
  }
  const index = {
    byNameSlug,
    bySlug: new Map(toolkits.map((toolkit) => [toolkit.slug, toolkit])),
    positions: new Map(toolkits.map(({ slug }, at) => [slug, at])),
    hasOutside: toolkits.some(isOutside),
  };
  indices.set(toolkits, index);
  return index;
}

/** Returns the section of a slug; undefined if no toolkit and no account has it. */
export function findSection(
  { bySlug, byNameSlug }: ToolkitIndex,
  all: readonly Connection[],
  slug: string,
): Section | undefined {
  const connections = connectionsBySlug(all, slug);
  const members = new Set(byNameSlug.get(slug));
  for (const { toolkit } of connections) {
    const found = bySlug.get(toolkit);
    if (found) members.add(found);
  }
  if (members.size === 0) return undefined;
  const toolkits = [...members];
  const isMixed = toolkits.some(isOutside) && !toolkits.every(isOutside);
  return { slug, toolkits, connections, isMixed };
}

/** Returns the slug of a toolkit's tools without an account. */
export function slugWithoutAccount(toolkit: Toolkit): string {
  return isBare(toolkit) ? '' : slugify(toolkit.slug);
}

function isBare({ provider, needsConnection }: Toolkit): boolean {
  return provider === 'native' && !needsConnection;
}
