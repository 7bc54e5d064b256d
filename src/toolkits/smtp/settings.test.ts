import { expect, test } from 'vitest';
import { plainAddress } from './addresses.js';
import { allowedEndpoints, smtpSettings } from './settings.js';

test('R-smtp: servers are named with their port, in one spelling', () => {
  const settings = smtpSettings.parse({ allowed_hosts: ['Mail.Internal:587', '[::1]:25', '10.0.0.7:465'] });
  expect(allowedEndpoints(settings)).toEqual([
    { host: 'mail.internal', port: 587 },
    { host: '::1', port: 25 },
    { host: '10.0.0.7', port: 465 },
  ]);
});

test.each([
  'mail.internal',
  'mail.internal:0',
  '*:25',
  'http://mail.internal:25',
  '::1:25',
  'a b:25',
])('R-smtp: %s is no server with a port', (text) => {
  expect(smtpSettings.safeParse({ allowed_hosts: [text] }).success).toBe(false);
});

test.each(['bob@corp.example', "o'neil+x@Corp.Example", 'a.b@localhost'])('R-smtp: %s is a plain address', (text) => {
  expect(plainAddress(text)?.domain).toBe(text.split('@')[1]?.toLowerCase());
});

// biome-ignore format: a table
test.each([
  '', 'bob', '@corp.example', 'bob@', 'a b@corp.example', 'a@b@c.example', '"a"@corp.example', 'a..b@corp.example', '.a@corp.example', 'a.@corp.example',
  '-f@corp.example', '|sh@corp.example', 'a%b@corp.example', 'a!b@corp.example', 'a@[127.0.0.1]', 'a@127.0.0.1', 'a@corp.example\r\nRCPT TO:<b@c.d>',
  'a@corp..example', 'a@-corp.example', 'ä@corp.example', 'a@cörp.example', 'a(b)@corp.example', 'a@corp.example.', 'team:a@corp.example;',
])('R-smtp: %j is none', (text) => {
  expect(plainAddress(text)).toBeUndefined();
});
