/**
 * The origin of a document of the directory, which is the base of its relative servers by OpenAPI's rule. Only
 * addresses of the provider itself count: many documents come from a code host, which does not serve the API.
 */
import { objectOrEmpty } from '../../util/canonical.js';
import { parseUrl } from '../../util/parse-url.js';

/** `id`: `provider.com/service`. */
export function documentOrigin(id: string, info: Readonly<Record<string, unknown>>): string | undefined {
  const provider = (id.split('/')[0] ?? '').toLowerCase();
  const origins = info['x-origin'];
  const urls = (Array.isArray(origins) ? origins : []).map((origin) => objectOrEmpty(origin).url);
  // The last one is the newest.
  return urls.findLast((url): url is string => typeof url === 'string' && isOfProvider(url, provider));
}

function isOfProvider(text: string, provider: string): boolean {
  const url = parseUrl(text);
  if (!url) return false;
  const { protocol, hostname, username } = url;
  return /^https?:$/.test(protocol) && username === '' && (hostname === provider || hostname.endsWith(`.${provider}`));
}
