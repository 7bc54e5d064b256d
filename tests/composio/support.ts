/** A plane with a Composio beside it. */
import type { SyncReport } from '../../src/domain/marketplace.js';
import { createTestHelve, type TestHelve, type TestHelveOptions } from '../../src/testing/index.js';
import {
  type Composio,
  type ComposioData,
  wholeTool,
  wholeToolkit,
  wholeTrigger,
} from '../counterparts/composio/index.js';

export function composioConfig(composio: Pick<Composio, 'url' | 'apiKey'>, more = ''): string {
  return `composio:\n  api_key: ${composio.apiKey}\n  base_url: ${composio.url}\n${more}`;
}

export function helveWith(composio: Composio, options: TestHelveOptions = {}): Promise<TestHelve> {
  return createTestHelve({ config: composioConfig(composio), granted: [], ...options });
}

/** From start to end. */
export async function syncNow(
  helve: TestHelve,
  kind: 'full' | 'incremental' | 'parameters' = 'full',
  limit?: number,
): Promise<SyncReport> {
  const { job } = await helve.plane.synchronise(helve.admin, { kind, ...(limit === undefined ? {} : { limit }) });
  let last = job;
  for await (const state of helve.plane.followSync(helve.admin, job.id, new AbortController().signal)) last = state;
  return last;
}

export const total = (calls: Readonly<Record<string, number>>): number =>
  Object.values(calls).reduce((sum, count) => sum + count, 0);

/** This many apps, each with three tools and one trigger. */
export function madeData(apps: number, prefix = 'app'): ComposioData {
  const toolkits = Array.from({ length: apps }, (_, index) =>
    wholeToolkit({
      slug: `${prefix}${index}`,
      name: `The ${prefix} ${index}`,
      composio_managed_auth_schemes: ['OAUTH2'],
      meta: {
        description: `Does ${index}`,
        tools_count: 3,
        triggers_count: 1,
        categories: [{ id: 'c', name: 'Things' }],
      },
    }),
  );
  return {
    toolkits,
    tools: toolkits.flatMap((toolkit) =>
      ['GET_THING', 'CREATE_THING', 'DELETE_THING'].map((name) =>
        wholeTool(
          {
            slug: `${toolkit.slug.toUpperCase()}_${name}`,
            name,
            description: `${name} of ${toolkit.name}`,
            input_parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
          },
          toolkit,
        ),
      ),
    ),
    triggers: toolkits.map((toolkit) => wholeTrigger({ description: 'Something happened' }, toolkit)),
  };
}
