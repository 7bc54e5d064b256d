/** A response as JSON: JSON unchanged, text as text, anything else in base64. Unusual content never fails a call. */
import { HelveError } from '../../domain/errors.js';
import type { JsonObject, JsonValue } from '../../domain/json.js';
import type { ServiceResponse } from '../../domain/service.js';
import { defined } from '../../util/defined.js';
import { isNestedDeeper, parseExactJson } from '../../util/json-text.js';
import { isJsonType, plainType } from './media-types.js';
import type { OpenApiOperation } from './operation.js';
import { withPage } from './paging.js';

const maxBinaryBytes = 5_000_000;
/** Deeper JSON is returned as text, because code that walks it would run out of stack. */
const maxDepth = 200;

/** Returns the response's body as JSON, with `_page` if there are more pages. Throws `too_large` for a file that is too large. */
export function readAnswer(operation: OpenApiOperation, response: ServiceResponse, input: JsonObject): JsonValue {
  const { status, headers } = response;
  if (operation.method === 'HEAD') return { status, headers: tellingHeaders(headers) };
  if (response.body.byteLength === 0) {
    const { location } = headers;
    return { status, ...defined({ location }) };
  }
  const body = buildBody(operation, response);
  return operation.paging ? withPage(operation.paging, { body, link: headers.link, input }) : body;
}

function tellingHeaders(headers: Readonly<Record<string, string>>): JsonObject {
  const names = ['content-length', 'content-type', 'etag', 'last-modified', 'link', 'location', 'x-total-count'];
  return Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));
}

function buildBody({ method }: OpenApiOperation, response: ServiceResponse): JsonValue {
  const type = plainType(response.headers['content-type'] ?? '');
  if (!isBinary(type)) {
    const text = response.text();
    const mayBeJson = isJsonType(type) || type === '' || type === 'text/plain' || type === 'text/json';
    return mayBeJson ? asJson(text, isJsonType(type)) : text;
  }
  const { byteLength } = response.body;
  if (byteLength > maxBinaryBytes) {
    const said = `The answer is a file of ${byteLength} bytes, ${type}; at most ${maxBinaryBytes} are passed on`;
    const hint = method === 'GET' ? undefined : 'The request was carried out. Do not send it again.';
    throw new HelveError('too_large', said, { hint });
  }
  return { content_type: type, bytes: byteLength, base64: Buffer.from(response.body).toString('base64') };
}

const textual =
  /^(?:text\/|message\/|multipart\/|application\/(?:.*(?:json|xml|yaml|javascript|graphql|csv|html|x-www-form-urlencoded|ndjson|jwt|sql|toml)))/;

const isBinary = (type: string): boolean => type !== '' && !textual.test(type);

/** Text without a type counts as JSON only if it can hardly be anything else. */
function asJson(text: string, stated: boolean): JsonValue {
  if ((!stated && !/^\s*[[{]/.test(text)) || isNestedDeeper(text, maxDepth)) return text;
  try {
    return parseExactJson(text);
  } catch {
    return text;
  }
}
