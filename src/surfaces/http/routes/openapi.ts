/** The OpenAPI description of this API, generated from its routes. */
import { jsonObject } from '../../../api/index.js';
import { defineRoute } from '../route.js';

/** `document` is a function because the description includes this route. */
export function openApiRoute(document: () => Record<string, unknown>) {
  return defineRoute({
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This description: OpenAPI 3.1',
    acts: { none: 'it describes the source code and nothing about the installation' },
    reply: jsonObject,
    async handle() {
      return document();
    },
  });
}
