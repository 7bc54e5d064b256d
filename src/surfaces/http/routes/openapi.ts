/** The description of this door, made from the routes that it describes. */
import { jsonObject } from '../../../api/index.js';
import { defineRoute } from '../route.js';

/** `document` is a function because the description contains this very route. */
export function openApiRoute(document: () => Record<string, unknown>) {
  return defineRoute({
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This description: OpenAPI 3.1',
    permission: { none: 'it says what the source code says, and nothing of the installation' },
    audit: { none: 'reads nothing of anybody' },
    reply: jsonObject,
    async handle() {
      return document();
    },
  });
}
