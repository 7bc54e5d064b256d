/** Which URL fits which pattern, and which spellings are taken at all. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesUrl, parseUrlPattern, readUrl, urlPatternShape } from './url-pattern.js';

function fits(pattern: string, url: string): boolean {
  const parsed = parseUrlPattern(pattern);
  if (!parsed) throw new Error(`no pattern: ${pattern}`);
  expect(urlPatternShape.test(pattern)).toBe(true);
  return matchesUrl(parsed, readUrl(url));
}

describe('patterns', () => {
  test.each([
    ['https://hooks.slack.com/services/*', 'https://hooks.slack.com/services/T0/B0/xyz'],
    ['https://hooks.slack.com/services/*', 'https://hooks.slack.com/services/T0?x=1'],
    ['https://hooks.slack.com/services/*', 'HTTPS://HOOKS.SLACK.COM:443/services/'],
    ['https://a.example/hook', 'https://a.example/hook'],
    ['https://a.example', 'https://a.example'],
    ['https://a.example/', 'https://a.example'],
    ['https://a.example/*', 'https://a.example/'],
    ['https://a.example/hook?token=x', 'https://a.example/hook?token=x'],
    ['https://a.example:8443/hook', 'https://a.example:8443/hook'],
    ['https://*.example.com/hooks/*', 'https://a.b.example.com/hooks/1'],
    ['https://a.example/*/done', 'https://a.example/x/done'],
    ['https://a.example/a%c3%a4', 'https://a.example/a%C3%A4'],
    ['https://*/*', 'https://any.example/at/all'],
    ['http://a.example/*', 'http://a.example/x'],
    ['http://[2001:db8::1]/*', 'http://[2001:DB8::1]/x'],
  ])('R-webhook: %s takes %s', (pattern, url) => {
    expect(fits(pattern, url)).toBe(true);
  });

  test.each([
    ['https://hooks.slack.com/services/*', 'https://hooks.slack.com/services'],
    ['https://hooks.slack.com/services/*', 'https://hooks.slack.com/servicesX/1'],
    ['https://hooks.slack.com/services/*', 'https://hooks.slack.com/other/services/1'],
    ['https://hooks.slack.com/services/*', 'http://hooks.slack.com/services/1'],
    ['https://hooks.slack.com/services/*', 'https://hooks.slack.com:8443/services/1'],
    ['https://hooks.slack.com/services/*', 'https://hooks.slack.com.evil.example/services/1'],
    ['https://hooks.slack.com/services/*', 'https://xhooks.slack.com/services/1'],
    ['https://hooks.slack.com/services/*', 'https://evil.example/services/hooks.slack.com/services/1'],
    ['https://hooks.slack.com/services/*', 'https://evil.example/?https://hooks.slack.com/services/1'],
    ['https://hooks.slack.com/services/*', 'https://hooks.slack.com/Services/1'],
    ['https://a.example/hook', 'https://a.example/hook/'],
    ['https://a.example/hook', 'https://a.example/hook?x=1'],
    ['https://a.example/hook?token=x', 'https://a.example/hook?token=y'],
    ['https://a.example/hook', 'https://a.example/%68ook'],
    ['https://*.example.com/*', 'https://example.com/'],
    ['https://*.example.com/*', 'https://badexample.com/'],
    ['https://*.example.com/*', 'https://example.com.evil.example/'],
    ['https://a.example/*/done', 'https://a.example/x/y/done'],
    ['https://a.example/*/done', 'https://a.example/x/done/more'],
    ['https://*/*', 'http://any.example/'],
    ['https://*/*', 'https://any.example:8443/'],
  ])('R-webhook: %s does not take %s', (pattern, url) => {
    expect(fits(pattern, url)).toBe(false);
  });

  test.each([
    '*',
    'ftp://a.example/',
    'a.example/*',
    'https://a.example/x*',
    'https://a.*.example/',
    'https://a*.example/',
    'https://user@a.example/',
    'https://a.example/../x',
    'https://a.example/%2e%2e/*',
    'https://a.example//x',
    'https://a.example/#x',
    'https://bücher.example/',
    'https://a.example:99999/',
    'https://a.example./',
    'https:// a.example/',
  ])('R-webhook: "%s" is no pattern', (text) => {
    // biome-ignore format: a table
    expect(parseUrlPattern(text)).toBeUndefined();
  });
});

describe('spellings', () => {
  const path = (end: string) => `https://a.example${end}`;
  test.each([
    '',
    ' ',
    'a.example',
    '//a.example/',
    'https:a.example',
    'https:/a.example',
    'https:///a.example/',
    'ftp://a.example/',
    'file:///etc/passwd',
    'javascript:1',
    'wss://a.example/',
    ' https://a.example/',
    'https://a.example/ ',
    'ht\ntps://a.example/',
    'https://a.example/\r\nX: y',
    'https://a.example/\0',
    'https://a.example/\t',
    'https://a.example\\@evil.example/',
    'https:\\\\a.example\\',
    'https://evil.example\\.a.example/',
    'https://a.example@evil.example/',
    'https://a:b@a.example/',
    'https://@a.example/',
    'https://evil.example#@a.example/',
    'https://a.example/#x',
    'https://a.example%2eevil.example/',
    'https://a%2eexample/',
    'https://a。example/',
    'https://ａ.example/',
    'https://a\u00ad.example/',
    'https://bücher.example/',
    'https://a.example./',
    'https://.a.example/',
    'https://a..example/',
    'https://-a.example/',
    'https://a_b.example/',
    'https://a.example:/',
    'https://a.example:0/',
    'https://a.example:99999/',
    'https://a.example:8o/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://127.1/',
    'https://0177.0.0.1/',
    'https://[::1',
    'https://[::ffff:127.0.0.1]/',
    'https://[0:0::1]/',
    'https://[::1%25lo]/',
    ...[
      '/..',
      '/../x',
      '/./x',
      '/x/..',
      '/%2e%2e/x',
      '/%2E%2e/x',
      '/.%2e/x',
      '/..%2fx',
      '/x%2f..%2fy',
      '/%5c..%5cx',
      '/%252e%252e/x',
      '/..;/x',
      '/.;a/x',
      '//x',
      '/a//b',
      '/%00',
      '/%0d%0aX:y',
      '/%7f',
      '/%',
      '/%zz',
      '/%c0%2f',
      '/a"b',
      '/a<b',
      '/a{b',
      '/a`b',
      '/ä',
    ].map(path),
  ])('R-webhook: %j is not taken', (url) => {
    // biome-ignore format: a table
    expect(() => readUrl(url)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });

  test('R-webhook: the parts of an accepted URL are those that a plain reader sees', () => {
    const piece = fc.constantFrom(
      'https://',
      'http:',
      '/',
      '\\',
      '@',
      'a.example',
      'evil.example',
      '..',
      '%2e',
      '%2f',
      ':',
      '443',
      '#',
      '?',
      '.',
      'x',
      '\n',
      '[',
      ']',
      '::1',
      '。',
      '127.1',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 2, maxLength: 9 }).map((pieces) => `https://${pieces.join('')}`),
        (text) => {
          let url: URL;
          try {
            url = readUrl(text);
          } catch {
            return;
          }
          const [, authority = '', path = ''] = /^https?:\/\/([^/?]*)([^?]*)/i.exec(text) ?? [];
          expect([url.hostname, url.hostname + (url.port && `:${url.port}`)]).toContain(
            authority.toLowerCase().replace(/:443$/, ''),
          );
          expect(url.pathname).toBe(path || '/');
          expect(url.username + url.password + url.hash).toBe('');
        },
      ),
      { numRuns: 3_000 },
    );
  });
});
