/**
 * Patterns over the letters of any script. Unicode classes take milliseconds to compile on first use; ASCII text, which
 * nearly all text is, is matched without them.
 */
const ascii = /^[\0-\x7f]*$/;
const inAscii = { L: 'A-Za-z', Lu: 'A-Z', Ll: 'a-z', Lo: '', M: '', N: '0-9' } as const;

/**
 * `source` has its classes within brackets, `[\p{L}\p{N}]+`. Returns a function that selects the pattern for a text.
 */
export function letterPattern(source: string, flags = ''): (text: string) => RegExp {
  const plain = new RegExp(
    source.replace(/\\p\{(\w+)\}/g, (_, kind: keyof typeof inAscii) => inAscii[kind]),
    flags,
  );
  let full: RegExp | undefined;
  return (text) => {
    if (ascii.test(text)) return plain;
    full ??= new RegExp(source, `${flags}u`);
    return full;
  };
}
