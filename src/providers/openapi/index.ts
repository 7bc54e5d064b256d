/** Any OpenAPI document as a toolkit. */
export {
  createOpenApiProvider,
  type OpenApiProvider,
  type OpenApiProviderOptions,
  type OpenApiSource,
} from './openapi-provider.js';
export type { OpenApiOperation } from './operation.js';
export { type OpenApiToolkit, type ReadOptions, type RefusedOperation, readOpenApi } from './read-openapi.js';
