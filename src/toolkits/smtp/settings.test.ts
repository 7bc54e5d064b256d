import { expect, test } from 'vitest';
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
