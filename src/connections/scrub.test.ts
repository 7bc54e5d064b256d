/** Secrets are removed from what services answer, in the forms that programs write them; nothing else changes. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { startCpuClock } from '../testing/cpu-time.js';
import { createScrub, scrubbed, scrubValue } from './scrub.js';

const secret = 'S3cret/with+all=kinds&of"letters\\é';
const pem = [
  '-----BEGIN PRIVATE KEY-----',
  'MIIBVAIBADANBgkqhkiG9w0BAQEFAASC',
  'AT4wggE6AgEAAkEAq7BFUpkGp3+LQmlQ',
  '-----END PRIVATE KEY-----',
];
const clean = createScrub([secret]);

describe('a secret in an answer', () => {
  const hex = Buffer.from(secret).toString('hex');
  test.each([
    ['as it is', secret],
    ['in JSON', JSON.stringify({ a: secret })],
    ['in JSON within JSON', JSON.stringify(JSON.stringify({ a: secret }))],
    ['in JSON with slashes escaped', JSON.stringify(secret).replaceAll('/', '\\/')],
    ['in JSON as Go writes it', JSON.stringify(secret).replaceAll('&', '\\u0026')],
    ['in an address', new URLSearchParams({ q: secret }).toString()],
    ['in an address, once', encodeURIComponent(secret)],
    ['in an address, twice', encodeURIComponent(encodeURIComponent(secret))],
    ['in an address with small digits', encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
    ['in hexadecimal', hex],
    ['in big hexadecimal', hex.toUpperCase()],
    ['backwards', [...secret].reverse().join('')],
    ['as HTML', secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;')],
    ['letter by letter', [...secret].join(' ')],
    ['over several lines', secret.replace(/.{5}/gu, '$&\n')],
    ['in wrapped base64', Buffer.from(secret).toString('base64').replace(/.{16}/g, '$&\r\n')],
    ['in wrapped base64 within JSON', JSON.stringify(Buffer.from(secret).toString('base64').replace(/.{16}/g, '$&\n'))],
  ])('R-vault: is found %s', (_how, text) => {
    const after = clean(`before ${text} after`);
    expect(after).toContain(scrubbed);
    expect(after).toMatch(/^before .* after$/s);
    for (let at = 0; at + 12 <= secret.length; at++) expect(after).not.toContain(secret.slice(at, at + 12));
  });

  test('R-vault: is found in base64 anywhere in a longer text', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 9 }), fc.uint8Array({ maxLength: 9 }), (before, after) => {
        const bytes = Buffer.concat([before, Buffer.from(secret), after]);
        for (const encoding of ['base64', 'base64url'] as const)
          expect(clean(bytes.toString(encoding))).toContain(scrubbed);
      }),
    );
  });

  test('R-vault: the parts of a key in PEM and of an account in JSON are secrets too', () => {
    const scrub = createScrub([
      JSON.stringify({ type: 'service_account', project: 'a-project-of-ours', private_key: pem.join('\n') }),
    ]);
    for (const text of [pem.join('\n'), pem.join('\\n'), `${pem[1]}`, `x${pem[1]}${pem[2]}y`, JSON.stringify(pem)])
      expect(scrub(text)).not.toContain('MIIBVAIBADAN');
    expect(scrub('a-project-of-ours service_account')).toBe('a-project-of-ours service_account');
    expect(scrub('-----BEGIN PRIVATE KEY-----')).toBe('-----BEGIN PRIVATE KEY-----');
  });

  test('R-vault: innocent text is unchanged, even if it is short or spaced', () => {
    const scrub = createScrub(['abc', '', 'a-long-enough-secret']);
    for (const text of ['abc', '', 'a b c', 'a long enough text', 'a-long-enough secre t', 'x\ny', '{"a":"b\\nc"}'])
      expect(scrub(text)).toBe(text);
  });

  test('R-vault: special characters of patterns are matched literally', () => {
    const odd = '(a+)+$[^x]{2,3}|\\d.*?-/';
    const scrub = createScrub([odd]);
    expect(scrub(`1 ${[...odd].join('\n')} 2`)).toBe(`1 ${scrubbed} 2`);
    expect(scrub('aaaaaaaaaaaaaaaaaaaaaaaaaaaaa b')).toBe('aaaaaaaaaaaaaaaaaaaaaaaaaaaaa b');
  });

  test('R-vault: in a value it is removed from texts and names, and the rest keeps its form', () => {
    const value = { [secret]: [secret, 1, null, true, { deep: `x${secret}y` }], __proto__: null, kept: 'as it was' };
    expect(scrubValue(value, clean)).toEqual({
      [scrubbed]: [scrubbed, 1, null, true, { deep: `x${scrubbed}y` }],
      kept: 'as it was',
    });
    // A quotation mark at the end of a secret does not break the surrounding text.
    expect(scrubValue({ a: 'my-secret"', b: 1 }, createScrub(['my-secret\\']))).toEqual({ a: 'my-secret"', b: 1 });
  });

  test('R-vault: ten megabytes with a key of two kilobytes are scanned quickly', () => {
    const long = createScrub([Array.from({ length: 30 }, (_, n) => `${n}`.padEnd(64, 'kEy')).join('\n')]);
    const text = JSON.stringify(
      Array.from({ length: 100_000 }, (_, n) => ({ id: n, text: 'some words of an answer of a service, a hundred' })),
    );
    const worked = startCpuClock();
    expect(long(text)).toBe(text);
    expect(worked()).toBeLessThan(8_000);
  });
});
