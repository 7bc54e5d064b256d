/** Names of types: identifiers that are neither reserved nor built in, each used once. */

const maxDerived = 40;
const maxGiven = 200;

/** Words that TypeScript does not accept as the name of a type, and built-in types that the text itself uses. */
const taken = new Set(
  `any arguments as asserts await bigint boolean break case catch class const continue debugger declare default delete do
  else enum eval export extends false finally for function if implements import in infer instanceof interface intrinsic is
  keyof let module namespace never new null number object Object out package private Promise protected public readonly require
  return satisfies static string super switch symbol this throw true try type typeof undefined unique unknown using var
  void while with yield async of get set abstract accessor global constructor override`.split(/\s+/),
);

export interface Names {
  /** Returns the name itself if it is a free identifier, else one derived from it. */
  give(wanted: string): string;
  /** Returns a name made from `prefix` and `hint`. */
  derive(prefix: string, hint: string): string;
}

export function createNames(): Names {
  const used = new Set<string>();
  const counters = new Map<string, number>();
  const claim = (base: string): string => {
    let name = base;
    while (used.has(name) || taken.has(name)) {
      const count = (counters.get(base) ?? 1) + 1;
      counters.set(base, count);
      name = `${base}_${count}`;
    }
    used.add(name);
    return name;
  };
  return {
    give: (wanted) => claim(isIdentifier(wanted) && wanted.length <= maxGiven ? wanted : pascal(wanted, maxGiven)),
    derive: (prefix, hint) => claim(prefix === '' ? pascal(hint, maxDerived) : `${prefix}_${pascal(hint, maxDerived)}`),
  };
}

export const isIdentifier = (text: string): boolean => /^[A-Za-z_$][\w$]*$/.test(text);

function pascal(text: string, most: number): string {
  const words = text.slice(0, 1_000).match(/[A-Za-z0-9]+/g) ?? [];
  const joined = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
  const name = /^[0-9]/.test(joined) ? `T${joined}` : joined;
  return name.slice(0, most) || 'Type';
}
