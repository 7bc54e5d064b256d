// Requests as text, one in a line: what is asked for, ` | `, and the ids of the right tools, `toolkit/tool`, with commas.

/** Returns `{ text, relevant }` for each line. */
export function readRequests(lines) {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const at = line.lastIndexOf(' | ');
      return { text: line.slice(0, at), relevant: line.slice(at + 3).split(',') };
    });
}

/** Returns `{ text }` for each line. */
export const readTexts = (lines) =>
  lines
    .trim()
    .split('\n')
    .map((text) => ({ text }));
