/** One text is one person, and a name cannot become another recipient. */
import { simpleParser } from 'mailparser';
import { expect, test } from 'vitest';
import { parsePlainAddress, parseSender, readRecipients } from './addresses.js';
import { composeMessage } from './message.js';
import { parseAddressField, readNamedAddresses } from './named-addresses.js';

const ann = 'ann@x.example';

test('R-email R-smtp: recipients are bare addresses, each once; names are dropped', () => {
  const fields = {
    to: [ann, { email: 'bo@X.example', name: 'Bo" <evil@x.example>, "' }],
    cc: ['ANN@x.example', 'cy@x.example'],
    bcc: 'cy@x.example',
  };
  expect(readRecipients(fields)).toEqual({
    to: [ann, 'bo@x.example'],
    cc: ['cy@x.example'],
    replyTo: undefined,
    envelope: [ann, 'bo@x.example', 'cy@x.example'],
  });
});

test('R-email R-smtp: a place is named as it was given', () => {
  const refusal = (place: string) => expect.objectContaining({ message: expect.stringMatching(`^${place}: `) });
  expect(() => readRecipients({ to: ann, cc: [ann, 'Bo <bo@x.example>'] })).toThrow(refusal('cc\\[1\\]'));
  expect(() => readRecipients({ to: { email: 'bo' } })).toThrow(refusal('to'));
  expect(() => readRecipients({ to: ann, reply_to: `${ann}, ${ann}` })).toThrow(refusal('reply_to'));
});

test('R-google-gmail: names are read, and a name cannot become another recipient', async () => {
  const name = 'Bo" <evil@x.example>, "';
  const to = readNamedAddresses('to', [
    ann,
    { email: 'bo@x.example', name },
    '"Li, Cy" <cy@x.example>',
    'Jö <jö@ü.example>',
  ]);
  expect(to).toEqual([
    { name: '', address: ann },
    { name, address: 'bo@x.example' },
    { name: 'Li, Cy', address: 'cy@x.example' },
    { name: 'Jö', address: 'jö@ü.example' },
  ]);
  const draft = { messageId: '<a@x.example>', cc: [], subject: 's', text: 't', html: undefined, attachments: [] };
  const parsed = await simpleParser(await composeMessage({ ...draft, to: to.slice(0, 3) }));
  expect([parsed.to].flat().flatMap((one) => one?.value)).toEqual(to.slice(0, 3));
});

test.each([
  [`${ann}, bo@x.example`],
  [`Group: ${ann};`],
  [''],
  ['Ann'],
  [{ email: `Ann <${ann}>` }],
  [{ email: ann, name: 'Ann\nBcc: evil@x.example' }],
  [{ email: ann, name: '=?utf-8?q?x?=' }],
])('R-google-gmail: %j is not one person', (person) => {
  expect(() => readNamedAddresses('to', [ann, person])).toThrow(/^to\[1\]: .* is not an e-mail address/);
});

test('R-google-gmail: a header field of somebody else is read as far as it holds addresses', () => {
  expect(parseAddressField(`Ann <${ann}>, nobody, Team: bo@x.example;`)).toEqual([
    { name: 'Ann', address: ann },
    { name: '', address: 'bo@x.example' },
  ]);
});

test('R-email: a sender is an address, or a name without special characters and an address', () => {
  expect(parseSender('Helve <agent@X.example>')).toEqual({
    name: 'Helve',
    address: 'agent@x.example',
    domain: 'x.example',
  });
  expect(parseSender(ann)).toMatchObject({ name: '', address: ann });
  for (const wrong of ['x', 'A, B <a@x.example>', '<a@x.example>', 'A <a@1.2.3.4>', 'A\n<a@x.example>'])
    expect(parseSender(wrong), wrong).toBeUndefined();
});

test.each([
  'bob@corp.example',
  "o'neil+x@Corp.Example",
  'a.b@localhost',
])('R-email R-smtp: %s is a plain address', (text) => {
  expect(parsePlainAddress(text)?.domain).toBe(text.split('@')[1]?.toLowerCase());
});

// biome-ignore format: a table
test.each([
  '', 'bob', '@corp.example', 'bob@', 'a b@corp.example', 'a@b@c.example', '"a"@corp.example', 'a..b@corp.example', '.a@corp.example', 'a.@corp.example',
  '-f@corp.example', '|sh@corp.example', 'a%b@corp.example', 'a!b@corp.example', 'a@[127.0.0.1]', 'a@127.0.0.1', 'a@corp.example\r\nRCPT TO:<b@c.d>',
  'a@corp..example', 'a@-corp.example', 'ä@corp.example', 'a@cörp.example', 'a(b)@corp.example', 'a@corp.example.', 'team:a@corp.example;',
])('R-email R-smtp: %j is not an address', (text) => {
  expect(parsePlainAddress(text)).toBeUndefined();
});
