/** Removes the little HTML in titles and snippets, such as highlighting tags and entities, which models do not need. */

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

export function plainText(html: string): string {
  return html
    .slice(0, 10_000)
    .replace(/<\/?[a-z][^<>]{0,200}>/gi, '')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, decode)
    .replace(/\s+/g, ' ')
    .trim();
}

function decode(whole: string, decimal?: string, hexadecimal?: string, name?: string): string {
  if (name !== undefined)
    return Object.hasOwn(named, name.toLowerCase()) ? (named[name.toLowerCase()] ?? whole) : whole;
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : '';
}
