/** Length as JSON Schema defines it: in code points, not UTF-16 units. */

export const isAtLeast = (text: string, least: number): boolean =>
  text.length >= least && (text.length >= least * 2 || countTo(text, least) >= least);

export const isAtMost = (text: string, most: number): boolean =>
  text.length <= most || (text.length <= most * 2 && countTo(text, most + 1) <= most);

/** Counts no further than `enough`. */
function countTo(text: string, enough: number): number {
  let count = 0;
  for (let at = 0; at < text.length && count < enough; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= 0xd800 && unit <= 0xdbff && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) at += 1;
    count += 1;
  }
  return count;
}
