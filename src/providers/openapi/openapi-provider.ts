/** Toolkits from the OpenAPI documents that the operator configured. */
import type { Provider } from '../../domain/provider.js';
import type { Workers } from '../../domain/workers.js';
import { createDocumentToolkits, type DocumentToolkits, type OpenApiSource } from './document-toolkits.js';
import type { OpenHttp } from './plain-client.js';

export interface OpenApiProviderOptions {
  readonly sources: readonly OpenApiSource[];
  /** For operations without an account. */
  readonly http: OpenHttp;
  readonly workers: Workers;
}

export interface OpenApiProvider extends Provider, Pick<DocumentToolkits, 'describe'> {}

/** Returns the provider. A document is loaded when its toolkit is first listed or called. */
export function createOpenApiProvider({ sources, http, workers }: OpenApiProviderOptions): OpenApiProvider {
  const documents = createDocumentToolkits({
    http,
    workers,
    find: async (slug) => sources.find((each) => each.slug === slug),
  });
  const toolkits = sources.map(documents.toolkit);
  return {
    kind: 'openapi',
    async toolkits() {
      return toolkits;
    },
    tools: documents.tools,
    describe: documents.describe,
    unoffered: documents.unoffered,
    execute: documents.execute,
    async close() {},
  };
}
