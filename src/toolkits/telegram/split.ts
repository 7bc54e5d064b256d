/**
 * Splits a long text into several messages: between paragraphs, else lines, else words, else anywhere except within a
 * character.
 */
export const mostCharacters = 4_096;

/** Returns the parts in order. Only white space at the cuts is lost, which Telegram does not keep either. */
export function splitText(text: string, most = mostCharacters): string[] {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest.length > most) {
    const at = cutText(rest, most);
    parts.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at).trimStart();
  }
  return [...parts, rest].filter((part) => part !== '');
}

function cutText(text: string, most: number): number {
  const head = text.slice(0, most + 1);
  for (const mark of ['\n\n', '\n', ' ']) {
    const at = head.lastIndexOf(mark);
    // A cut in the first half would make more messages than needed.
    if (at >= most / 2) return at;
  }
  const code = text.charCodeAt(most - 1);
  return code >= 0xd800 && code <= 0xdbff ? most - 1 : most;
}
