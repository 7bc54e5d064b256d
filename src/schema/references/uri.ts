/** URIs of schemas, resolved as WHATWG has it. */

/** What a schema without an `$id` stands at: relative names resolve against it, and nothing outside can have it. */
export const rootUri = 'schema://root/';

/** A reference with its base, in two; undefined where the two make no URI. The fragment is not decoded. */
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
