/** Toolkits as others may know them. */
import type { WorkspaceConfiguration } from '../spec/grant.js';
import type { Toolkit } from '../spec/tool.js';

/** How it signs in has its own question, and what the operator set for it is not told. */
export function toolkitFacts(toolkit: Toolkit): Toolkit {
  const { slug, title, description, category, provider, needsConnection, internal } = toolkit;
  return { slug, title, description, category, provider, needsConnection, internal };
}

/** Of the very many toolkits of a catalogue a workspace has those that it connected or said yes to; of the others, all. */
export function toolkitsInUse({
  connections,
  toolkits,
}: Pick<WorkspaceConfiguration, 'connections' | 'toolkits'>): (toolkit: Toolkit) => boolean {
  const chosen = new Set(toolkits.filter(({ enabled }) => enabled).map(({ toolkit }) => toolkit));
  for (const { toolkit } of connections) chosen.add(toolkit);
  return ({ slug, onDemand }) => !onDemand || chosen.has(slug);
}
