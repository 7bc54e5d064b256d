/**
 * The tools that a principal might be allowed to call, found without looking at every tool of the workspace. This grants nothing: each
 * entry still has to be decided.
 */
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import type { Principal } from '../../domain/principal.js';
import { getGrants } from '../../grants/index.js';
import type { Catalogue, CatalogueTarget, NamedTool } from './parts.js';

/** Returns what a catalogue must have for `withinReach`; undefined: everything. */
export function targetsWithinReach(
  configuration: WorkspaceConfiguration,
  { kind, id }: Pick<Principal, 'kind' | 'id'>,
): readonly CatalogueTarget[] | undefined {
  return kind === 'agent' ? getGrants(configuration, id) : undefined;
}

/** Returns, in the order of the catalogue, every entry that is not refused for want of a grant, and perhaps others. */
export function withinReach(
  catalogue: Catalogue,
  configuration: WorkspaceConfiguration,
  { kind, id }: Pick<Principal, 'kind' | 'id'>,
): readonly NamedTool[] {
  if (kind !== 'agent') return catalogue.entries;
  const grants = getGrants(configuration, id);
  return grants.length === 0 ? [] : catalogue.select(grants);
}
