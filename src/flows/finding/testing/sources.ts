/** Providers and a catalogue whose toolkits a test sets. */
import type { CatalogueAction, CatalogueApp, CatalogueReader } from '../../../domain/catalogue.js';
import type { Provider } from '../../../domain/provider.js';
import type { Tool, Toolkit } from '../../../domain/tool.js';
import { testProviderTool } from '../../../testing/provider-tool.js';

const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
export const toolOf = (toolkit: string, name: string, description: string): Tool =>
  testProviderTool({ toolkit, name }, { description, annotations: hints, risk: 'read', hasEffects: false });
export const kitOf = (slug: string, more: Partial<Toolkit> = {}): Toolkit => ({
  slug,
  title: slug,
  description: '',
  category: 'x',
  provider: 'mcp',
  needsConnection: false,
  internal: false,
  ...more,
});

/** A provider whose toolkits the test sets, and which reports changes. */
export function changing(kits: Map<string, { kit: Toolkit; tools: Tool[] | Error }>) {
  const listeners = new Set<() => void>();
  const reads: string[] = [];
  const provider: Provider = {
    kind: 'mcp',
    toolkits: async () => [...kits.values()].map(({ kit }) => kit),
    async tools(slug) {
      reads.push(slug);
      const tools = kits.get(slug)?.tools ?? [];
      if (tools instanceof Error) throw tools;
      return tools;
    },
    execute: async () => ({ output: null }),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => undefined,
  };
  return { provider, reads, tell: () => listeners.forEach((listener) => void listener()) };
}

export const app = (slug: string, hash: string) =>
  [slug, { slug, hash, actionCount: 1 } as unknown as CatalogueApp] as const;
export const action = (of: string, slug: string, description: string) =>
  ({ app: of, slug, description, title: slug }) as unknown as CatalogueAction;

export function readerOf(apps: Map<string, CatalogueApp>, actions: CatalogueAction[], asked: string[]) {
  const reader: CatalogueReader & { refresh(): Promise<number> } = {
    refresh: async () => 1,
    apps: async (source) => (source === 'composio' ? apps : new Map()),
    async actions(_, of) {
      asked.push(of);
      return actions.filter((one) => one.app === of);
    },
    triggers: async () => [],
    onChange: () => () => undefined,
  };
  return reader;
}

export const noApps = readerOf(new Map(), [], []);
