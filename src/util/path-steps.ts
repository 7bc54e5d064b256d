/**
 * Parts of a path that lead to an address other than the written one: `.` and `..`, in every form that a server or a
 * proxy may read as one, and empty segments.
 */

const stripped = /[\t\n\r]/g;
const maxDecodings = 3;

/** Returns the first `.` or `..` segment, as written, or undefined if there is none. */
export function findStep(path: string): string | undefined {
  return splitSegments(path).find((segment) => {
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

/** Whether a segment is empty: two slashes in a row, or one at the end. */
export function hasEmptySegment(path: string): boolean {
  const segments = splitSegments(path.replace(/^\//, ''));
  return segments.length > 1 ? segments.includes('') : false;
}

/** Splits a path as the URL parser does: it ignores tabs and line ends, and a backslash is a slash. */
function splitSegments(path: string): string[] {
  return path.replace(stripped, '').split(/[\\/]/);
}
