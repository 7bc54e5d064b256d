/**
 * The text of a stranger's document, as a model may be shown it: one paragraph, of bounded length, without markup and
 * without characters that a person who reads along would not see.
 */

/** Control characters, halves of characters, and what is invisible or turns the direction of text around. */
const hidden =
  /\p{Cc}|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}|\p{Variation_Selector}|[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0]/u;
const everyHidden = new RegExp(hidden, 'gu');
const markup =
  /<\/?(?:a|b|br|blockquote|code|dd|div|dl|dt|em|h[1-6]|hr|i|img|li|note|ol|p|pre|small|span|strong|sub|sup|table|tbody|td|th|thead|tr|u|ul)(?:\s[^<>]{0,500})?\/?>/gi;

/** Whether somebody could read the text otherwise than it is. */
export const hasHiddenCharacters = (text: string): boolean => hidden.test(text);

/** Halves of characters replaced: they cannot be sent. */
export const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '\ufffd');

/** Undefined for what is no text or has nothing to read. */
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
