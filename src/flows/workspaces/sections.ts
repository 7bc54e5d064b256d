/**
 * Which toolkits a name can belong to. The name of a tool that a model is given starts with the slug of its account, or with that of
 * its toolkit; only our own tools without accounts have names without a slug. Two tools can only compete for a name under one slug, so
 * the toolkits of a slug give each of their tools the name that it has in the whole workspace.
 */
import type { Connection } from '../../domain/connection.js';
import { slugify } from '../../domain/naming/index.js';
import type { Toolkit } from '../../domain/tool.js';
import { isOutside } from './outside-toolkits.js';

export interface Section {
  /** Empty for our own tools without accounts. */
  readonly slug: string;
  has(toolkit: string): boolean;
}

/** By slug. Slugs that are shared by our own tools and those of servers or documents are absent: the former wait for nobody. */
export type Sections = ReadonlyMap<string, Section>;

/** All toolkits; its slug is no slug of a section. */
export const everything: Section = { slug: '*', has: () => true };

/** Returns the slug that a name starts with; empty if it has none. */
export function slugOfName(name: string): string {
  return name.slice(0, Math.max(name.indexOf('__'), 0));
}

/** Sorts these toolkits by the slugs that the names of their tools can start with. */
export function findSections(toolkits: readonly Toolkit[], connections: readonly Connection[]): Sections {
  const bySlug = new Map<string, Set<string>>();
  const outside = new Map(toolkits.map((toolkit) => [toolkit.slug, isOutside(toolkit)]));
  const add = (slug: string, toolkit: string): void => {
    const members = bySlug.get(slug);
    if (members) members.add(toolkit);
    else bySlug.set(slug, new Set([toolkit]));
  };
  for (const { slug, provider, needsConnection } of toolkits) {
    if (provider === 'native' && !needsConnection) add('', slug);
    add(slugify(slug), slug);
  }
  for (const { slug, toolkit } of connections) if (outside.has(toolkit)) add(slug, toolkit);
  const sections = new Map<string, Section>();
  for (const [slug, members] of bySlug) {
    const kinds = new Set([...members].map((toolkit) => outside.get(toolkit)));
    if (kinds.size === 1) sections.set(slug, { slug, has: (toolkit) => members.has(toolkit) });
  }
  return sections;
}
