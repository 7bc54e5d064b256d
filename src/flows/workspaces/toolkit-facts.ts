/** The public facts about toolkits. */

import { HelveError } from '../../domain/errors.js';
import type { ToolkitSetting, WorkspaceConfiguration } from '../../domain/grant.js';
import { toAppKey } from '../../domain/naming/index.js';
import type { Toolkit } from '../../domain/tool.js';
import type { Registry } from '../../registry/index.js';
import { didYouMean, nearest } from '../../util/nearest.js';

/** Throws `not_found`; its hint names the toolkit that is meant by another written form or a display name, or by a mistyped one. */
export async function knownToolkit(
  registry: Pick<Registry, 'findToolkit' | 'toolkits'>,
  slug: string,
): Promise<Toolkit> {
  const toolkit = await registry.findToolkit(slug);
  if (toolkit) return toolkit;
  const toolkits = await registry.toolkits();
  const slugs = toolkits.map((one) => one.slug);
  const meant = findWritten(toolkits, slug)?.slug ?? nearest(slug, slugs);
  throw new HelveError('not_found', `There is no toolkit ${JSON.stringify(slug.slice(0, 100))}`, {
    hint: didYouMean(
      meant,
      'Search the marketplace for its slug. An app from there is added before an account is connected.',
    ),
  });
}

/** The toolkit whose slug or display name this is in some written form, such as `GitHub` or `google gmail`. */
export function findWritten(toolkits: readonly Toolkit[], name: string): Toolkit | undefined {
  const key = readKey(name);
  if (key === undefined) return undefined;
  return toolkits.find(({ slug }) => readKey(slug) === key) ?? toolkits.find(({ title }) => readKey(title) === key);
}

/** Undefined without letters and digits. */
function readKey(name: string): string | undefined {
  return /[\p{L}\p{N}]/u.test(name) ? toAppKey(name) : undefined;
}

/** Omits how it signs in, which has its own operation, and the operator's settings, which are not public. */
export function toolkitFacts(toolkit: Toolkit): Toolkit {
  const { slug, title, description, category, provider, needsConnection, internal } = toolkit;
  return { slug, title, description, category, provider, needsConnection, internal };
}

/** The toolkits that a workspace has chosen. */
export function chosenToolkits(settings: readonly ToolkitSetting[]): readonly string[] {
  return settings.filter(({ enabled }) => enabled).map(({ toolkit }) => toolkit);
}

/** Of a catalogue's very many toolkits, those that a workspace connected or chose; of other toolkits, all. */
export function toolkitsInUse({
  connections,
  toolkits,
}: Pick<WorkspaceConfiguration, 'connections' | 'toolkits'>): (toolkit: Toolkit) => boolean {
  const chosen = new Set(chosenToolkits(toolkits));
  for (const { toolkit } of connections) chosen.add(toolkit);
  return ({ slug, onDemand }) => !onDemand || chosen.has(slug);
}
