/** Spellings that parsers read differently are refused, even if the host itself may be called. */
import { describe, expect, it } from 'vitest';
import { checkAddress, parseTarget } from './guard.js';
import { responseHeaders } from './headers.js';
import { resolvePolicy } from './policy.js';

const policy = resolvePolicy({});
const outcome = (raw: string, base?: string): string => {
  try {
    return parseTarget(policy, raw, base === undefined ? undefined : new URL(base)).href;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('R-http: targets', () => {
  it.each([
    'http://a.example/\u0001',
    'ht\ntp://a.example/',
    ' http://a.example/',
    'http://a.example/ ',
    'http:\\\\a.example\\',
    'http://a.example\\@b.example/',
    'http://a.example/x\\y',
    'ftp://a.example/',
    'http:a.example/',
    'http:/a.example/',
    'http:///a.example/',
    'http://u@a.example/',
    'http://:p@a.example/',
    'http://@a.example/',
    'http://a.example#@b.example/',
    'http://a.example?@b.example/',
    'http://a..example/',
    'http://.a.example/',
    'http://./',
    'http://a.example:0/',
    'http://a.example:6379/',
    'http://127.0.0.1/',
    'http://169.254.169.254/',
    'http://[::1]/',
    'http://localhost/',
    'http://printer.local/',
  ])('%j is refused', (raw) => {
    expect(outcome(raw)).toBe('egress_blocked');
  });

  it.each([
    'https:u@b.example/',
    'https::p@b.example/',
    'ftp://b.example/',
    '//@b.example/',
    '//a.example#@b.example/',
    '//b.example:25/',
    'x\\y',
  ])('a redirect to %j is refused', (raw) => {
    expect(outcome(raw, 'http://a.example/')).toBe('egress_blocked');
  });

  it.each(['', 'http://', 'http://[::1', 'http://a%25b/', 'http://[fe80::1%25lo]/'])('%j is not a URL', (raw) => {
    expect(outcome(raw)).toBe('invalid_input');
  });

  it('plain ones pass, and a redirect may be relative', () => {
    expect(outcome('http://a.example./x?b=c\\d#e@f')).toBe('http://a.example/x?b=c\\d#e@f');
    expect(outcome('../y', 'http://a.example/x/')).toBe('http://a.example/y');
    expect(outcome('//b.example/', 'https://a.example/')).toBe('https://b.example/');
  });
});

describe('R-http: addresses', () => {
  const answer = (host: string, address: string): string => {
    try {
      checkAddress(policy, host, address, 80);
      return 'passes';
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  it.each([
    ['a.example', 'garbage'],
    ['a.example', '0x7f.1'],
    ['a.example', '10.0.0.1'],
    ['localhost', '8.8.8.8'],
    ['printer.local', '8.8.8.8'],
  ])('%s at %s is refused', (host, address) => expect(answer(host, address)).toBe('egress_blocked'));

  it.each([
    ['a.example', '8.8.8.8'],
    ['8.8.8.8', '8.8.8.8'],
    ['[2606:4700::1]', '2606:4700::1'],
  ])('%s at %s passes', (host, address) => expect(answer(host, address)).toBe('passes'));

  it('what the operator opened or named passes as a URL', () => {
    const opened = resolvePolicy({ allowedAddresses: ['::1'] });
    expect(parseTarget(opened, 'http://[::1]/').hostname).toBe('[::1]');
    const named = resolvePolicy({ allowedDomains: ['localhost'] });
    expect(parseTarget(named, 'http://localhost/').hostname).toBe('localhost');
    const secure = resolvePolicy({ schemes: ['https:'] });
    expect(() => parseTarget(secure, 'http://a.example/')).toThrow(expect.objectContaining({ code: 'egress_blocked' }));
  });
});

it('response headers without a value are omitted', () => {
  expect(responseHeaders({ 'X-A': undefined, 'set-cookie': ['a', 'b'], Via: ['c', 'd'] })).toEqual({
    'set-cookie': 'a\nb',
    via: 'c, d',
  });
});
