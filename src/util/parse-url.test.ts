import { describe, expect, it } from 'vitest';
import { parseUrl } from './parse-url.js';

describe('R-http: parseUrl', () => {
  it('R-http: reads addresses with characters outside ASCII no matter how often it has run', () => {
    const address = 'https://exämple.test/größe?q=ключ';
    for (let round = 0; round < 50_000; round++)
      if (parseUrl(address)?.pathname !== '/gr%C3%B6%C3%9Fe') throw new Error(`refused in round ${round}`);
    expect(parseUrl('/größe', 'https://a.test/x')?.href).toBe('https://a.test/gr%C3%B6%C3%9Fe');
  });

  it('R-http: returns undefined for text that is no address', () => {
    for (const text of ['', 'no address', '/relative', 'http://', 'https://[::1'])
      expect(parseUrl(text)).toBeUndefined();
    expect(parseUrl('x', 'not a base')).toBeUndefined();
  });
});
