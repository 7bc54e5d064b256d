/** For tests: an external toolkit `far`, which does not answer until a test offers its tools. */
import type { Provider } from '../../../domain/provider.js';
import type { Tool, Toolkit } from '../../../domain/tool.js';
import { testProviderTool } from '../../../testing/provider-tool.js';

export interface LateProvider {
  readonly provider: Provider;
  /** The toolkit answers, now and from now on, with these tools. */
  offer(...names: readonly string[]): void;
}

const destructive = { risk: 'destructive' } as const;

/** `facts`: what differs of the toolkit. A tool named `destroy` is destructive. */
export function lateProvider(facts: Partial<Toolkit> = {}): LateProvider {
  let offered: readonly Tool[] | undefined;
  let arrive: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const listeners = new Set<() => void>();
  return {
    provider: {
      kind: 'mcp',
      toolkits: async () => [
        {
          slug: 'far',
          title: 'Far',
          description: 'For tests',
          category: 'tests',
          internal: false,
          needsConnection: false,
          provider: 'mcp',
          ...facts,
        },
      ],
      async tools(toolkit) {
        if (toolkit !== 'far') return [];
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
    offer(...names) {
      offered = names.map((name) => testProviderTool({ toolkit: 'far', name }, name === 'destroy' ? destructive : {}));
      arrive();
      for (const listener of listeners) listener();
    },
  };
}
