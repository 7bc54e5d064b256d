/** eXist's REST interface: documents by PUT, GET and DELETE, queries by POST of its query envelope. */

import type { HttpResponse } from '../../../domain/context.js';
import { HelveError } from '../../../domain/errors.js';
import type { Variable } from '../engine/index.js';
import type { LibrarianContext } from '../library.js';
import type { LibrarianSettings } from '../shapes.js';

export interface RestClient {
  put(path: string, content: string): Promise<void>;
  get(path: string): Promise<string>;
  delete(path: string): Promise<void>;
  /** Returns the answer's XML, with at most this many items. */
  query(
    collection: string,
    query: string,
    variables: Readonly<Record<string, Variable>>,
    most: number,
  ): Promise<string>;
}

export function createRestClient(
  { http }: LibrarianContext,
  { url, user, password = '' }: NonNullable<LibrarianSettings['exist']>,
): RestClient {
  const base = url.replace(/\/+$/, '');
  const authorization: Record<string, string> =
    user === undefined ? {} : { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
  const send = async (method: string, path: string, body?: string): Promise<HttpResponse> => {
    const response = await http.fetch({
      method,
      url: base + path.split('/').map(encodeURIComponent).join('/'),
      headers: { ...authorization, ...(body !== undefined && { 'content-type': 'application/xml; charset=utf-8' }) },
      ...(body !== undefined && { body }),
    });
    if (response.truncated)
      throw new HelveError('too_large', 'eXist returned more than 20 MB', { hint: 'Ask for less.' });
    if (response.status >= 200 && response.status < 300) return response;
    throw failure(response, path);
  };

  return {
    async put(path, content) {
      await send('PUT', path, content);
    },
    get: async (path) => (await send('GET', path)).text(),
    async delete(path) {
      await send('DELETE', path);
    },
    query: async (collection, query, variables, most) =>
      (await send('POST', collection, envelope(query, variables, most))).text(),
  };
}

function failure(response: HttpResponse, path: string): HelveError {
  const { status } = response;
  if (status === 401) {
    return new HelveError('invalid_config', 'eXist refuses the account of toolkits.librarian.exist', {
      hint: 'Ask the operator to set user and password there.',
    });
  }
  if (status === 403) return new HelveError('forbidden', `eXist does not let its account reach ${path}`);
  if (status === 404) return new HelveError('not_found', `eXist has no ${path}`);
  const said = response
    .text()
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 400);
  if (status === 400) return new HelveError('invalid_input', `eXist refuses the request: ${said}`);
  return new HelveError('upstream_failed', `eXist answered ${status}: ${said}`);
}

const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/\r/g, '&#13;');

function envelope(query: string, variables: Readonly<Record<string, Variable>>, most: number): string {
  const bound = Object.entries(variables).map(
    ([name, value]) =>
      `<variable><qname><localname>${escaped(name)}</localname></qname>` +
      `<sx:sequence xmlns:sx="http://exist-db.org/xquery/types/serialized">${values(value)}</sx:sequence></variable>`,
  );
  return (
    `<query xmlns="http://exist.sourceforge.net/NS/exist" start="1" max="${most}" typed="yes">` +
    `<text>${escaped(query)}</text>` +
    `<variables>${bound.join('')}</variables>` +
    '<properties><property name="indent" value="no"/></properties></query>'
  );
}

function values(value: Variable): string {
  if (value === null) return '';
  if (Array.isArray(value)) return value.map(values).join('');
  const type =
    typeof value === 'string'
      ? 'string'
      : typeof value === 'boolean'
        ? 'boolean'
        : Number.isSafeInteger(value)
          ? 'integer'
          : 'double';
  return `<sx:value type="xs:${type}">${escaped(String(value))}</sx:value>`;
}
