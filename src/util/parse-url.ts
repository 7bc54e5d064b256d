/**
 * `new URL` without the exception. `URL.canParse` is not used anywhere: on Node 20 it returns false for every address
 * with characters outside ASCII once the engine has optimised its caller.
 */

/** Returns the address, or undefined if `text` is not one. `base` resolves a relative address, as in `new URL`. */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
