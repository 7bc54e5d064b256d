/**
 * Where a document of the directory was taken from: what its relative servers stand for, by OpenAPI's own rule. Only at
 * an address of the provider itself: many a document was taken from a code host, which is nobody's API.
 */
import { isPlainObject } from '../../util/canonical.js';
import { parseUrl } from '../../util/parse-url.js';

/** `id`: `provider.com/service`. */
export function documentOrigin(id: string, info: Readonly<Record<string, unknown>>): string | undefined {
  const provider = (id.split('/')[0] ?? '').toLowerCase();
  const origins = info['x-origin'];
  const urls = (Array.isArray(origins) ? origins : []).map((origin) =>
    isPlainObject(origin) ? origin.url : undefined,
  );
  // The last one is the newest.
  return urls.findLast((url): url is string => typeof url === 'string' && isOfProvider(url, provider));
}

function isOfProvider(text: string, provider: string): boolean {
  const url = parseUrl(text);
  if (!url) return false;
  const { protocol, hostname, username } = url;
  return /^https?:$/.test(protocol) && username === '' && (hostname === provider || hostname.endsWith(`.${provider}`));
}
