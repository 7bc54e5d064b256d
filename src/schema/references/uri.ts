/** URIs of schemas, resolved by the WHATWG rules. */

/** The base of a schema without an `$id`: relative names resolve against it, and no outside schema can have it. */
export const rootUri = 'schema://root/';

/**
 * Splits a resolved reference into URI and fragment; undefined if it is not a valid URI. The fragment is not decoded.
 */
export function splitReference(reference: string, base: string): { uri: string; fragment: string } | undefined {
  const hash = reference.indexOf('#');
  const fragment = hash === -1 ? '' : reference.slice(hash + 1);
  const place = hash === -1 ? reference : reference.slice(0, hash);
  if (place === '') return { uri: base, fragment };
  try {
    return { uri: new URL(place, base).href, fragment };
  } catch {
    return undefined;
  }
}
