/** How a request is prepared for a service, and what its answer says about time. */
import { describe, expect, test } from 'vitest';
import { isUsable, renewalTime } from './content.js';
import { createGate } from './gate.js';
import { placeCredentials } from './placement.js';
import { retryAfter } from './service-answer.js';
import { createServiceClient } from './service-client.js';
import { isRepeatable, prepareRequest } from './service-request.js';

const servers = { default: { url: 'https://api.example.com/v1/' }, upload: { url: 'https://up.example.com' } };
const definition = { servers: () => servers };
const urlOf = (path: string, server?: string) =>
  prepareRequest({ path, ...(server === undefined ? {} : { server }) }, definition, servers, () => 'key').url.href;

describe('where a request goes', () => {
  test.each([
    ['/a/b', 'https://api.example.com/v1/a/b'],
    ['a?x=1#y', 'https://api.example.com/v1/a?x=1'],
    ['/', 'https://api.example.com/v1/'],
    ['/a%2Fb', 'https://api.example.com/v1/a%2Fb'],
    ['/a...b/.github/..c', 'https://api.example.com/v1/a...b/.github/..c'],
    ['/@evil.example', 'https://api.example.com/v1/@evil.example'],
    ['https://api.example.com/v1/x', 'https://api.example.com/v1/x'],
    ['https://up.example.com/x', 'https://up.example.com/x'],
  ])('R-vault: %s is below its server', (path, expected) => expect(urlOf(path)).toBe(expected));

  test.each([
    ['/../admin', 'invalid_input'],
    ['//evil.example/a', 'invalid_input'],
    ['\\\\evil.example', 'invalid_input'],
    ['/a%2F..%2Fb', 'invalid_input'],
    ['/a/..', 'invalid_input'],
    ['/a/./b', 'invalid_input'],
    ['/a//b', 'invalid_input'],
    ['/a/', 'invalid_input'],
    ['/a/%252e%252e', 'invalid_input'],
    ['/a/.\t.', 'invalid_input'],
    ['https://api.example.com/v1/a/../b', 'invalid_input'],
    ['/x/../../admin', 'invalid_input'],
    ['/%2e%2e/admin', 'invalid_input'],
    ['/.%2E\\admin', 'invalid_input'],
    ['https://evil.example/v1/x', 'egress_blocked'],
    ['https://api.example.com/v2/x', 'egress_blocked'],
    ['https://api.example.com/v1evil', 'egress_blocked'],
    ['https://api.example.com:444/v1/x', 'egress_blocked'],
    ['http://api.example.com/v1/x', 'egress_blocked'],
    ['HTTPS://evil.example/', 'egress_blocked'],
  ])('R-vault: %s is refused', (path, code) => {
    expect(() => urlOf(path)).toThrow(expect.objectContaining({ code }));
  });

  test('R-vault: an unknown server does not fall back to the default', () => {
    for (const name of ['other', '__proto__', 'constructor']) expect(() => urlOf('/x', name)).toThrow(/has no server/);
  });
});

describe('where credentials are placed', () => {
  const request = {
    url: new URL('https://api.example.com/v1/a?key=theirs'),
    headers: { 'x-key': 'theirs', cookie: 'a=b' },
  };
  const place = (placement: Parameters<typeof placeCredentials>[1][number], values: Record<string, string>) =>
    placeCredentials(request, [placement], values, '/v1');

  test('R-vault: ours override those of the tool, and are escaped', () => {
    expect(place({ in: 'header', name: 'X-Key', value: 'k {k}' }, { k: '1' }).headers['x-key']).toBe('k 1');
    expect(place({ in: 'query', name: 'key', value: '{k}' }, { k: 'a&b=c' }).url.search).toBe('?key=a%26b%3Dc');
    expect(place({ in: 'cookie', name: 'sid', value: '{k}' }, { k: 'x; y=z' }).headers.cookie).toBe(
      'a=b; sid=x%3B%20y%3Dz',
    );
    expect(place({ in: 'path', value: '/bot{k}' }, { k: '1:a/../b' }).url.pathname).toBe('/v1/bot1:a%2F..%2Fb/a');
    const { headers } = place({ in: 'basic', username: '{u}', password: '{k}' }, { u: 'ü', k: 'p:w' });
    expect(Buffer.from(String(headers.authorization).slice(6), 'base64').toString()).toBe('ü:p:w');
    expect(request.headers).toEqual({ 'x-key': 'theirs', cookie: 'a=b' });
  });

  test('R-vault: a missing field is reported, not omitted; inherited names are not fields', () => {
    for (const name of ['k', '__proto__', 'constructor', 'toString'])
      expect(() => place({ in: 'header', name: 'a', value: `{${name}}` }, {})).toThrow(/connection has no/);
  });
});

describe('time', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  test.each([
    ['7', 7],
    ['0', 0],
    ['1.5', 1.5],
    [' 7 ', 7],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['', undefined],
    ['soon', undefined],
    ['-5x', undefined],
  ])('R-pipeline: retry-after %j is %j', (value, seconds) => {
    expect(retryAfter({ 'retry-after': value }, now)).toBe(seconds);
  });

  test('R-pipeline: a date is measured by the clock of the service, which may be behind or ahead', () => {
    const headers = (date: string) => ({ 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT', date });
    expect(retryAfter(headers('Thu, 01 Jan 2026 00:00:30 GMT'), new Date('2026-01-01T00:05:00Z'))).toBe(30);
    expect(retryAfter(headers('Thu, 01 Jan 2026 00:00:30 GMT'), new Date('2025-12-31T00:00:00Z'))).toBe(30);
    expect(retryAfter(headers('soon'), now)).toBe(60);
  });

  test.each<Record<string, string>>([
    {},
    { 'retry-after': '0' },
  ])('R-pipeline: a service that refuses for now (%j) is asked again after ever longer pauses', async (headers) => {
    const slept: number[] = [];
    const text = (value: string) => value;
    const client = createServiceClient({
      definition,
      servers,
      fetch: async () => ({
        status: 429,
        statusText: '',
        headers,
        url: '',
        body: Buffer.from(''),
        truncated: false,
        text: () => '',
      }),
      credentials: {
        get: async () => ({ placements: [], values: {}, secrets: [] }),
        rejected: () => Promise.reject(new Error('rejected')),
      },
      gate: createGate(),
      gateKey: 'a',
      idempotencyKey: () => 'key',
      scrub: { text, see: () => undefined } as never,
      signal: new AbortController().signal,
      now: () => now,
      sleep: async (milliseconds) => void slept.push(milliseconds),
    });
    await expect(client.request({ path: '/a' })).rejects.toMatchObject({ code: 'rate_limited' });
    expect(slept).toHaveLength(4);
    expect(slept).toEqual(slept.toSorted((one, other) => one - other));
  });

  test('R-pipeline: a gate waits for the latest time that was given, and forgets the oldest of too many', () => {
    const gate = createGate();
    gate.pause('a', 100);
    gate.pause('a', 50);
    expect([gate.waitMs('a', 40), gate.waitMs('a', 100), gate.waitMs('a', 40), gate.waitMs('b', 0)]).toEqual([
      60, 0, 0, 0,
    ]);
    for (let index = 0; index < 10_050; index++) gate.pause(`k${index}`, 1_000);
    expect([gate.waitMs('k0', 0), gate.waitMs('k10049', 0)]).toEqual([0, 1_000]);
  });

  test('R-oauth: a token is renewed before it expires, a short-lived one not on every call', () => {
    const at = (seconds: number | undefined) => renewalTime(now, seconds).renewAt;
    expect([at(3_600), at(10), at(undefined)]).toEqual([
      '2026-01-01T00:59:30.000Z',
      '2026-01-01T00:00:09.000Z',
      undefined,
    ]);
    const scheme = { id: 'o', kind: 'oauth2', title: 'O' } as const;
    const content = (renewAt?: string) => ({
      fields: {},
      tokens: { accessToken: 't', ...(renewAt === undefined ? {} : { renewAt }) },
    });
    expect(isUsable(content('2026-01-01T00:00:01.000Z'), scheme, now)).toBe(true);
    expect(isUsable(content('2026-01-01T00:00:00.000Z'), scheme, now)).toBe(false);
    expect([
      isUsable(content(), scheme, now),
      isUsable(content(), scheme, now, 't'),
      isUsable({ fields: {} }, scheme, now),
    ]).toEqual([true, false, false]);
    expect(isUsable({ fields: { k: 'v' } }, { ...scheme, kind: 'api_key' }, now)).toBe(true);
  });

  test('R-pipeline: what may be sent twice', () => {
    const repeatable = (method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE', more = {}, header?: string) =>
      isRepeatable(
        { path: '/', method, ...more },
        header === undefined ? definition : { ...definition, idempotencyHeader: header },
      );
    expect([
      repeatable('GET'),
      repeatable('HEAD'),
      repeatable('POST', { repeatable: true }),
      repeatable('POST', {}, 'x'),
    ]).toEqual([true, true, true, true]);
    expect([
      repeatable('POST'),
      repeatable('PUT'),
      repeatable('DELETE'),
      repeatable('POST', { repeatable: false }),
    ]).toEqual([false, false, false, false]);
  });
});
