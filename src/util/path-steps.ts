/**
 * Parts of a path that lead to another address than the one that is written: `.` and `..`, in every form that a server or
 * a proxy may read as one, and names that are missing.
 */

const stripped = /[\t\n\r]/g;
const maxDecodings = 3;

/** The first segment that is a step, as it is written; undefined: there is none. */
export function findStep(path: string): string | undefined {
  return segmentsOf(path).find((segment) => {
    let form = segment;
    for (let round = 0; round <= maxDecodings; round++) {
      if (form.split(/[\\/]/).some((part) => /^\.{1,2}$/.test((part.split(';')[0] ?? '').trim()))) return true;
      const next = form.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
      if (next === form) return false;
      form = next.replace(stripped, '');
    }
    return false;
  });
}

/** Whether a name is missing: two slashes in a row, or one at the end. */
export function hasEmptySegment(path: string): boolean {
  const segments = segmentsOf(path.replace(/^\//, ''));
  return segments.length > 1 ? segments.includes('') : false;
}

/** As the parser of URLs cuts it: tabs and line ends are nothing to it, and a backslash is a slash. */
function segmentsOf(path: string): string[] {
  return path.replace(stripped, '').split(/[\\/]/);
}
