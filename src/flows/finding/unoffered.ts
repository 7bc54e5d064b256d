/** Why a named tool is not offered, if its toolkit has it. */
import { squash } from '../../discovery/index.js';
import type { ToolDescriptions } from '../../domain/discovery.js';
import type { Principal } from '../../domain/principal.js';
import type { UnofferedTool } from '../../domain/provider.js';
import { toolkitsInUse } from '../workspaces/index.js';
import type { DiscoveryParts } from './parts.js';
import type { Reach } from './reach.js';

/** Adds the reason to each unknown name that has one. An agent learns only about toolkits that it uses. */
export async function withReasons(
  { tools, unknown }: ToolDescriptions,
  principal: Principal,
  { reach, registry }: { readonly reach: Reach } & Pick<DiscoveryParts, 'registry'>,
): Promise<ToolDescriptions> {
  if (unknown.length === 0) return { tools, unknown };
  const inUse = toolkitsInUse(reach.configuration);
  const mayKnow = (slug: string): boolean => principal.kind !== 'agent' || reach.toolkits.has(slug);
  const slugs = (await registry.toolkits()).filter((kit) => inUse(kit) && mayKnow(kit.slug)).map(({ slug }) => slug);
  const unofferedOf = (slug: string) => registry.unoffered(slug, principal.workspaceId);
  const reasons = await Promise.all(unknown.map(({ name }) => reasonFor(name, slugs, unofferedOf)));
  return {
    tools,
    unknown: unknown.map((one, index) => {
      const refused = reasons[index];
      return refused === undefined ? one : { ...one, refused };
    }),
  };
}

async function reasonFor(
  name: string,
  slugs: readonly string[],
  unofferedOf: (slug: string) => Promise<readonly UnofferedTool[]>,
): Promise<string | undefined> {
  const wanted = plain(name.slice(0, 500));
  for (const slug of slugs) {
    if (!wanted.includes(plain(slug))) continue;
    for (const unoffered of await unofferedOf(slug)) {
      const own = plain(unoffered.name);
      if (unoffered.name === '*' || (own !== '' && (wanted === own || wanted === plain(slug) + own)))
        return unoffered.reason;
    }
  }
  return undefined;
}

/** Normalises a name in any written form. */
const plain = (text: string): string => squash(text.replace(/^composio-/i, ''));
