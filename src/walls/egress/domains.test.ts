import { describe, expect, it } from 'vitest';
import { commonDomains, isLocalName, matchesDomain, namesDomain, parseDomainPattern } from './domains.js';

const patterns = (...texts: string[]) =>
  texts.map((text) => parseDomainPattern(text) ?? expect.fail(`${text} does not parse`));

describe('domains', () => {
  it('R-http: an exact pattern allows that host only, a wildcard its subdomains only', () => {
    const allowed = patterns('api.example.com', '*.GitHub.com');
    const hosts = ['api.example.com', 'api.github.com', 'a.b.github.com'];
    expect(hosts.every((host) => matchesDomain(allowed, host))).toBe(true);
    for (const host of [
      'example.com',
      'x.api.example.com',
      'github.com',
      'evilgithub.com',
      'api.example.com.evil.net',
    ]) {
      expect(matchesDomain(allowed, host), host).toBe(false);
    }
  });

  it('reads a pattern as a URL would read the host', () => {
    expect(patterns('BÜCHER.example', 'example.com.', '::1', '0x7f.1').map(({ host }) => host)).toEqual([
      'xn--bcher-kva.example',
      'example.com',
      '[::1]',
      '127.0.0.1',
    ]);
  });

  it.each([
    '',
    '*.',
    'https://a.example',
    'a.example/x',
    'a.example:80',
    'u@a.example',
    'a..b',
    '.a.example',
    'a.*.example',
    'a b',
    '**',
    '[::1]:8080',
    '[::1]:80',
    '[::g]',
    '1.2.3.256',
    '.',
  ])('refuses the pattern %j', (text) => {
    expect(parseDomainPattern(text)).toBeUndefined();
  });

  it('knows the names of private networks', () => {
    for (const host of [
      'localhost',
      'a.localhost',
      'ip6-localhost',
      'printer.local',
      'metadata.google.internal',
      'nas.home.arpa',
      'home.arpa',
      'redis',
      'x.localdomain',
    ]) {
      expect(isLocalName(host), host).toBe(true);
    }
    for (const host of ['example.com', 'localhost.example.com', 'local.host'])
      expect(isLocalName(host), host).toBe(false);
  });

  it('does not treat * as naming a host', () => {
    expect(namesDomain(patterns('*'), 'localhost')).toBe(false);
    expect(namesDomain(patterns('*', 'localhost'), 'localhost')).toBe(true);
  });

  it('a pattern names only the hosts that it matches', () => {
    expect(namesDomain(patterns('other.test', '*.example.com'), 'localhost')).toBe(false);
    expect(namesDomain(patterns('*.example.com'), 'a.example.com')).toBe(true);
  });

  it('R-http: the intersection of two lists matches exactly what both match', () => {
    const hosts = ['example.com', 'a.example.com', 'b.a.example.com', 'other.test', 'xexample.com'];
    const texts = ['*', ...hosts, ...hosts.map((host) => `*.${host}`)];
    for (const one of texts) {
      for (const other of texts) {
        const common = patterns(...commonDomains([one], [other]));
        for (const host of hosts) {
          const both = matchesDomain(patterns(one), host) && matchesDomain(patterns(other), host);
          expect(matchesDomain(common, host), `${host} by ${one} and ${other}`).toBe(both);
        }
      }
    }
    expect(commonDomains(['a.test', 'b.test'], ['*.test', 'c.test'])).toEqual(['a.test', 'b.test']);
    expect(commonDomains(['https://x/'], ['x.test'])).toEqual(['https://x/']);
    expect(commonDomains(['x.test'], ['https://x/'])).toEqual(['https://x/']);
  });
});
