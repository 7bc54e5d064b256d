/** Any OpenAPI document as a toolkit. */
export { cleanText } from './clean-text.js';
export {
  createDocumentToolkits,
  type DocumentFacts,
  type DocumentToolkits,
  type OpenApiSource,
} from './document-toolkits.js';
export type { DocumentView } from './document-view.js';
export { convertHere, loadDocument } from './load-document.js';
export { createOpenApiProvider, type OpenApiProvider, type OpenApiProviderOptions } from './openapi-provider.js';
export type { OpenApiOperation } from './operation.js';
export type { OpenHttp } from './plain-client.js';
export {
  getInfo,
  type OpenApiToolkit,
  type ReadOptions,
  type RefusedOperation,
  readOpenApi,
  readSliced,
} from './read-openapi.js';
