/**
 * Decodes a text in a named charset. Node 20 reads windows-1252 as Latin-1, without its quotes, dashes and euro sign.
 */

/** The characters of windows-1252 from 0x80 to 0x9f; five of these are undefined and stay unchanged. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Returns the text, or undefined for an unknown charset. As in browsers, iso-8859-1 means windows-1252. */
export function decodeCharset(bytes: Uint8Array, charset: string): string | undefined {
  const decoder = findDecoder(charset);
  if (decoder === undefined) return undefined;
  const text = decoder.decode(bytes);
  if (decoder.encoding !== 'windows-1252') return text;
  return text.replace(/[\u0080-\u009f]/g, (sign) => windows1252.charAt(sign.charCodeAt(0) - 0x80));
}

function findDecoder(charset: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
  }
}

/** Whether bytes are valid UTF-8. Of a text that was cut, the last character may be incomplete. */
export function isUtf8(body: Uint8Array, wasCut: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(body, { stream: wasCut });
    return true;
  } catch {
    return false;
  }
}
