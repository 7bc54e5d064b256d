/**
 * `new URL` without the exception. `URL.canParse` is not used anywhere: on Node 20 it answers false for every address with
 * characters outside ASCII once the engine has optimised its caller.
 */

/** The address, or undefined where `text` is not one. `base` resolves a relative address, as in `new URL`. */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
