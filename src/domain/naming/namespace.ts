/**
 * Namespaces of programs: `work-gmail` is `workGmail` in code. Reversible, because a slug has no capitals and no `_`: a
 * letter after `-` becomes its capital, and a digit after `-` follows `_`.
 */
import { isReservedInCode } from './code-name.js';

/** Names that the programs themselves have, as globals and, for `call`, in `env`: see `checker/` and `walls/sandbox/guest/`. */
const ownNames = new Set(['call', 'env', 'sleep']);

/** The identifier of a slug. A word that JavaScript reserves gets a trailing `_`. */
export function toNamespace(slug: string): string {
  const name = slug.replace(/-([a-z0-9])/g, (_, next: string) => (/\d/.test(next) ? `_${next}` : next.toUpperCase()));
  return isReservedInCode(name) || ownNames.has(name) ? `${name}_` : name;
}
