/**
 * Text from an untrusted document, made safe to show to a model: one paragraph, of limited length, without markup and
 * without characters that a person reading along would not see.
 */

/** Control characters, lone surrogates, and characters that are invisible or change the direction of text. */
const hidden =
  /\p{Cc}|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}|\p{Variation_Selector}|[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0]/u;
const everyHidden = new RegExp(hidden, 'gu');
const markup =
  /<\/?(?:a|b|br|blockquote|code|dd|div|dl|dt|em|h[1-6]|hr|i|img|li|note|ol|p|pre|small|span|strong|sub|sup|table|tbody|td|th|thead|tr|u|ul)(?:\s[^<>]{0,500})?\/?>/gi;

/** Whether the text could be displayed differently from its characters. */
export const hasHiddenCharacters = (text: string): boolean => hidden.test(text);

/** Replaces lone surrogates, which cannot be sent. */
export const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '\ufffd');

/** Returns the cleaned text, at most `maxLength` characters; undefined if it is not a string or has nothing to read. */
export function cleanText(text: unknown, maxLength: number): string | undefined {
  if (typeof text !== 'string') return undefined;
  // Cut first, so that a megabyte of text costs no more than a page.
  const short = text
    .slice(0, maxLength * 4)
    .replace(markup, ' ')
    .replace(/\s+/g, ' ')
    .replace(everyHidden, '');
  const line = short.replace(/ {2,}/g, ' ').trim();
  if (line === '') return undefined;
  return line.length <= maxLength
    ? line
    : `${wellFormed(line.slice(0, maxLength - 1))
        .replace(/\ufffd$/, '')
        .trimEnd()}…`;
}
