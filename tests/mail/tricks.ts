/** Spellings that some mail program reads as another recipient, or as more than one. None is a plain allowed address. */
const far = 'evil@evil.example';
const near = 'a@corp.example';

const separators = [
  ',',
  ';',
  ' ',
  '\t',
  '\n',
  '\r',
  '\r\n',
  '\0',
  '\u000b',
  '\u000c',
  '\u0085',
  '\u00a0',
  '\u2028',
  '\u2029',
  '\u200b',
  '|',
  '/',
  '\\',
  '%0a',
  '%0d%0a',
  '%00',
];
const invisible = [
  '\u00ad',
  '\u200b',
  '\u200c',
  '\u200d',
  '\u200e',
  '\u200f',
  '\u202a',
  '\u202e',
  '\u2060',
  '\u2066',
  '\ufeff',
  '\u180e',
  '\u0000',
  '\u007f',
  '\u0301',
];

export const tricks: readonly string[] = [
  ...separators.flatMap((separator) => [`${near}${separator}${far}`, `${far}${separator}${near}`]),
  ...invisible.flatMap((mark) => [`a${mark}@corp.example`, `a@corp${mark}.example`, `${mark}${near}`, `${near}${mark}`]),
  // Display names, comments, quotes, routes, groups.
  `${near} <${far}>`, `"${near}" <${far}>`, `<${far}> ${near}`, `${far} <${near}>`, `<${near}>`, `<${near}`, `${near}>`, `Ops <ops@partner.example>`,
  `evil@evil.example(${near})`, `(${near})${far}`, `a(comment)@corp.example`, `a@(evil.example)corp.example`, `a@corp.example(${far})`, `a@corp(x).example`,
  `"evil@evil.example"@corp.example`, `"a"@corp.example`, `"a b"@corp.example`, `"\\"@corp.example`, `""@corp.example`, `"a@corp.example, evil"@evil.example`,
  `@evil.example:${near}`, `@corp.example:${far}`, `@a,@b:${near}`, `<@evil.example:${near}>`, `group:${near},${far};`, `undisclosed-recipients:;`, `x:${near};`,
  // Relays.
  'evil%evil.example@corp.example', 'evil.example!evil@corp.example', `${far}@corp.example`, `a@corp.example@evil.example`, 'a@@corp.example', '@corp.example', 'a@', '@', '',
  ' ', 'a', 'corp.example', '*@corp.example', '*', 'evil=evil.example@corp.example', 'a@corp.example/evil.example', 'a@evil.example#corp.example', 'a@evil.example?@corp.example',
  // Domains.
  'a@corp.example.', 'a@.corp.example', 'a@corp..example', 'a@corp.example.evil.example', 'a@xcorp.example', 'a@sub.corp.example', 'a@corp-example', 'a@corp.example:25', 'a@-corp.example',
  'a@[127.0.0.1]', 'a@[IPv6:::1]', 'a@127.0.0.1', 'a@2130706433', 'a@[corp.example]', 'a@сorp.example', 'a@cоrp.example', 'a@corp.еxample', 'a@ｃｏｒｐ.example', 'a@corp。example',
  'a@corp．example', 'a@corp｡example', 'a@cörp.example', 'a@xn--crp-sna.example', 'a@xn--corp-.example', 'a@corp.exampIe', 'a@corp.examp1e', 'a@CORP.EXAMPLE.', 'a@corp_.example', 'a@corp.example\u3002evil.example',
  // Mailboxes.
  'ａ@corp.example', 'а@corp.example', 'á@corp.example', 'ß@corp.example', '.a@corp.example', 'a.@corp.example', 'a..b@corp.example', '-a@corp.example', '|/bin/sh@corp.example', '/etc/passwd@corp.example',
  '-oQ/tmp/x@corp.example', 'a@corp.example -X/tmp/x', '`id`@corp.example', '$(id)@corp.example', 'a&b@corp.example', "'a'@corp.example", '~root@corp.example', `${'a'.repeat(65)}@corp.example`, `a@${'b'.repeat(64)}.corp.example`,
  'opş@partner.example', 'ops+x@partner.example', 'op.s@partner.example', 'ops@partner.example.', 'ops@Partner.examp\u212ae', 'OPſ@partner.example', 'other@partner.example', '"ops"@partner.example', 'ops@partner.example\n',
  // Encoded words, MIME, URLs, headers.
  '=?utf-8?q?evil=40evil.example?=', `=?utf-8?b?${Buffer.from(far).toString('base64')}?=`, '=?utf-8?q?a?=@corp.example', `mailto:${near}`, `mailto:${near}?bcc=${far}`, `${near}?bcc=${far}`, `${near}%0ABcc:${far}`,
  `${near}\r\nBcc: ${far}`, `${near}\nBcc: ${far}`, `${near}\rBcc: ${far}`, `${near}\r\n\r\n.\r\nRCPT TO:<${far}>`, `${near}> ORCPT=rfc822;${far}`, `${near}> NOTIFY=SUCCESS`, `${near}>\r\nRCPT TO:<${far}`, `Bcc: ${far}`,
]; // biome-ignore format: a table
