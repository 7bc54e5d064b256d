/**
 * The names that a policy can use: every form that a call accepts, including tools that need an account and have none
 * yet.
 */

import type { Policy, PolicyEffect } from '../../../domain/grant.js';
import { canonicalToolName, createNameIndex, type ToolId } from '../../../domain/naming/index.js';
import type { Tool, Toolkit } from '../../../domain/tool.js';
import type { Catalogue } from '../../../flows/calling/index.js';
import { hasOnlyExactName, namesTool } from '../../../policies/index.js';
import type { Registry } from '../../../registry/index.js';
import { computedOnce } from '../../../util/computed-once.js';
import { createLookup } from '../../../util/lookup.js';
import { nearest } from '../../../util/nearest.js';

export interface KnownNames {
  readonly tools: readonly Tool[];
  readonly toolkits: ReadonlyMap<string, Toolkit>;
  /** Toolkits whose tools cannot be read at present, such as those of an MCP server that is not connected. */
  readonly unread: ReadonlySet<string>;
  /** Whether a policy with this effect that names `text` applies to any tool. */
  isNamed(text: string, effect: PolicyEffect): boolean;
  /** Whether there is such a tool among all that a policy with these conditions may mean. */
  hasToolLike(when: Pick<Policy['when'], 'toolkits' | 'tools'>, test: (tool: Tool) => boolean): boolean;
  /** Returns the tools that a text without wildcards names, perhaps one of them twice; empty if there are none. */
  toolsOf(text: string): readonly ToolId[];
  /** Returns the toolkit that a text refers to, if its tools cannot be read. */
  unreadToolkitOf(text: string): string | undefined;
  nearestTool(text: string): string | undefined;
}

/** `texts`: toolkits of a large catalogue are read only if one of these texts may refer to them. */
export async function knownNames(
  registry: Registry,
  { catalogue, workspaceId }: { readonly catalogue: Catalogue; readonly workspaceId: string },
  texts: readonly string[],
): Promise<KnownNames> {
  const toolkits = await registry.toolkits();
  const used = new Set(catalogue.entries.map(({ tool }) => tool.id.toolkit));
  const speak = createSpeaks(texts);
  const wanted = toolkits.filter(({ slug, onDemand }) => !onDemand || used.has(slug) || speak(slug));
  const unread = new Set<string>();
  const lists = await Promise.all(
    wanted.map(async ({ slug }) => {
      const tools = await registry.tools(slug, workspaceId).catch(() => []);
      if (tools.length === 0) unread.add(slug);
      return tools.map(({ tool }) => tool);
    }),
  );
  // A tool occurs in a catalogue with each of its accounts.
  const tools = distinct(new Set([...lists.flat(), ...catalogue.entries.map(({ tool }) => tool)]));
  const byCall = computedOnce(() => createNameIndex(tools.map(({ id }) => id)));
  const bySlug = new Map(toolkits.map((toolkit) => [toolkit.slug, toolkit]));
  const isFormOf = createFormCheck(tools);
  const like = (text: string): readonly Tool[] => [
    ...toolsByIdentity(tools, text),
    ...toolsByName(tools, text),
    ...(text.endsWith('.*') ? toolsByToolkit(tools, text.slice(0, -2)) : []),
    ...(text.startsWith('*.') ? toolsByName(tools, text.slice(2)) : []),
  ];
  return {
    tools,
    toolkits: bySlug,
    unread,
    isNamed(text, effect) {
      if (text === '*') return tools.length > 0;
      if (like(text).some(({ id }) => namesTool(text, id, effect))) return true;
      return effect !== 'allow' && !hasOnlyExactName(text) && isFormOf(text, effect);
    },
    hasToolLike({ tools: texts, toolkits: slugs }, test) {
      if (texts === undefined && slugs) return slugs.some((slug) => toolsByToolkit(tools, slug).some(test));
      if (texts?.some((text) => like(text).some(test))) return true;
      return !texts?.every((text) => text !== '*' && hasOnlyExactName(text)) && tools.some(test);
    },
    toolsOf(text) {
      const [exact] = toolsByIdentity(tools, text);
      if (exact) return [exact.id];
      const called = catalogue.find(text)?.tool.id ?? byCall().parse(text);
      const named = toolsByName(tools, canonicalToolName(text)).map(({ id }) => id);
      return called ? [called, ...named] : named;
    },
    unreadToolkitOf: (text) => [...unread].find((slug) => createSpeaks([text])(slug)),
    nearestTool: (text) => nearest(text.trim(), candidates(tools, catalogue)),
  };
}

const toolsByToolkit = createLookup(({ id }: Tool) => id.toolkit);
const toolsByName = createLookup(({ id }: Tool) => id.name);
const toolsByIdentity = createLookup(({ id }: Tool) => `${id.toolkit}.${id.name}`);

function distinct(tools: Iterable<Tool>): Tool[] {
  return [...new Map(Array.from(tools, (tool) => [`${tool.id.toolkit}\n${tool.id.name}`, tool])).values()];
}

function candidates(tools: readonly Tool[], { entries }: Catalogue): string[] {
  const identities = tools.map(({ id }) => `${id.toolkit}.${id.name}`);
  return [...new Set([...tools.map(({ id }) => id.name), ...identities, ...entries.map(({ name }) => name)])];
}

/** Returns whether any of the forms (`gmail.send`, `GMAIL_SEND`, `gmail__send`, `composio-gmail_send`) may start with a toolkit. */
function createSpeaks(texts: readonly string[]): (slug: string) => boolean {
  const sorted = [...new Set(texts.map((text) => plain(text.replace(/^composio-/, ''))))].sort();
  return (slug) => {
    const start = plain(slug);
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle] ?? '') < start) low = middle + 1;
      else high = middle;
    }
    return sorted[low]?.startsWith(start) ?? false;
  };
}

/** Looks at every tool, once for each text and effect: such texts were stored by earlier versions, and are few. */
function createFormCheck(tools: readonly Tool[]): (text: string, effect: PolicyEffect) => boolean {
  const known = new Map<string, boolean>();
  return (text, effect) => {
    const key = `${effect} ${text}`;
    const found = known.get(key) ?? tools.some(({ id }) => namesTool(text, id, effect));
    known.set(key, found);
    return found;
  };
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
