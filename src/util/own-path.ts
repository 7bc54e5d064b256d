/** A path of this server, for an address that came from outside. */
import { parseUrl } from './parse-url.js';

const maxCharacters = 2_000;
/** Any origin that no address names. */
const here = 'https://own.invalid';

/**
 * Returns the path and query of `text` if a browser on this server stays on it, else undefined. An address like
 * `//elsewhere.example`, `/\elsewhere.example` or `/.//elsewhere.example` leads away.
 */
export function readOwnPath(text: string | undefined): string | undefined {
  if (text === undefined || text.length > maxCharacters || !text.startsWith('/') || /[\p{Cc}\\]/u.test(text))
    return undefined;
  const url = parseUrl(text, here);
  if (url?.origin !== here) return undefined;
  const path = url.pathname + url.search;
  return path.startsWith('//') ? undefined : path;
}
