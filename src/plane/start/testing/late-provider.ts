/** For tests: an external toolkit, `far`, which does not answer until a test offers its tools. */
import type { Provider } from '../../../domain/provider.js';
import type { Tool, Toolkit } from '../../../domain/tool.js';
import { testProviderTool } from '../../../testing/provider-tool.js';

export interface LateProvider {
  readonly provider: Provider;
  /** Whether anybody has asked for its tools. */
  wasAsked(): boolean;
  /** The toolkit answers, now and from now on, with these tools. */
  offer(...names: readonly string[]): void;
}

const destructive = { risk: 'destructive' } as const;

/**
 * `facts`: what differs of the toolkit. A tool named `destroy` is destructive. Like a document, a toolkit of `openapi`
 * says that it needs no account only when it has been read.
 */
export function lateProvider(facts: Partial<Toolkit> = {}): LateProvider {
  const { slug = 'far', provider = 'mcp', needsConnection = false } = facts;
  let offered: readonly Tool[] | undefined;
  let asked = false;
  let arrive: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const listeners = new Set<() => void>();
  return {
    provider: {
      kind: provider,
      toolkits: async () => [
        {
          slug,
          title: slug,
          description: 'For tests',
          category: 'tests',
          internal: false,
          ...facts,
          provider,
          get needsConnection() {
            return needsConnection || (provider === 'openapi' && offered === undefined);
          },
        },
      ],
      async tools(toolkit) {
        if (toolkit !== slug) return [];
        asked = true;
        await arrived;
        return [...(offered ?? [])];
      },
      execute: async () => ({ output: null }),
      onChange(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      close: async () => undefined,
    },
    wasAsked: () => asked,
    offer(...names) {
      offered = names.map((name) => testProviderTool({ toolkit: slug, name }, name === 'destroy' ? destructive : {}));
      arrive();
      for (const listener of listeners) listener();
    },
  };
}
