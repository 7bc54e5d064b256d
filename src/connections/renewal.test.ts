/** When a renewal is retried, and what ends an account, by the answers of token endpoints. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { seal } from '../audit/index.js';
import type { HttpResponse } from '../domain/context.js';
import { HelveError } from '../domain/errors.js';
import type { Storage } from '../domain/storage.js';
import { openStorage } from '../storage/index.js';
import { endsExchange, endsRefresh } from './ends-account.js';
import { refreshTokens } from './oauth/client.js';
import { renewed } from './renewal.js';

const start = Date.parse('2026-05-01T12:00:00.000Z');
const secret = 'refresh-token-that-nobody-may-read';
let storage: Storage;
let now = start;
let count = 0;

beforeAll(async () => {
  storage = await openStorage({ location: ':memory:', seal, now: () => new Date(now) });
});
afterAll(() => storage.close());
beforeEach(() => {
  now = start;
});

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const refusal = (status: number, error: string, headers: Record<string, string> = {}): Answer => ({
  status,
  body: JSON.stringify({ error }),
  headers,
});
const granted: Answer = { status: 200, body: '{"access_token":"fresh","token_type":"bearer","expires_in":3600}' };

/** An account whose token has expired, at a token endpoint that answers as the test specifies. */
async function openAccount(random = 0) {
  count += 1;
  const id = `w${count}`;
  await storage.system.createWorkspace({ id, slug: id, name: id, createdAt: new Date(start).toISOString() }, []);
  const { secrets } = storage.workspace(id);
  await storage
    .workspace(id)
    .change([], (tables) => tables.putSecret('s', { sealed: 'old', keyId: 'k' }, new Date(start).toISOString()));
  let answer: Answer = granted;
  let requests = 0;
  let fault: 'gone' | 'answer_lost' | undefined;
  /** Fails once if there is a fault. */
  const renewOnce: typeof secrets.renew = async (...content) => {
    const failing = fault;
    fault = undefined;
    const done = failing === 'gone' ? false : await secrets.renew(...content);
    if (failing !== undefined) throw new HelveError('storage_failed', 'The store is gone');
    return done;
  };
  const steps: string[] = [];
  const provider = {
    slug: 'vendor',
    name: 'Vendor',
    tokenAuth: 'client_secret_post' as const,
    authorizationEndpoint: 'https://vendor.example/auth',
    tokenEndpoint: 'https://vendor.example/token',
  };
  const fetch = async (): Promise<HttpResponse> => {
    requests += 1;
    const { status, body, headers = {} } = answer;
    const type = body.startsWith('{') ? 'application/json' : 'text/html';
    const bytes = new TextEncoder().encode(body);
    return {
      status,
      headers: { 'content-type': type, ...headers },
      body: bytes,
      text: () => body,
    } as unknown as HttpResponse;
  };
  const client = { provider, clientId: 'c', clientSecret: 'client-secret-that-nobody-may-read' };
  return {
    steps,
    requests: () => requests,
    stored: async () => (await secrets.find('s'))?.sealed,
    failOnce(how: typeof fault) {
      fault = how;
    },
    pause: async () => (await secrets.find('s'))?.pause,
    async renew(next: Answer): Promise<string> {
      answer = next;
      return renewed({
        secrets: { ...secrets, renew: renewOnce },
        subject: 's',
        instanceId: 'i',
        random: () => random,
        clock: () => storage.now(),
        sleep: async () => undefined,
        ensureSeen: async () => void steps.push('seen'),
        isAlive: async () => true,
        open: async ({ sealed }) => ({ fields: {}, tokens: { accessToken: sealed } }),
        seal: async ({ tokens }) => ({ sealed: tokens?.accessToken ?? '', keyId: 'k' }),
        isUsable: ({ tokens }) => tokens?.accessToken === 'fresh',
        trade: async () => {
          steps.push('asked');
          const { accessToken } = await refreshTokens(client, secret, { fetch });
          return { fields: {}, tokens: { accessToken } };
        },
        ends: endsRefresh,
        discard: async () => expect.unreachable(),
        broken: async (reason) => {
          throw new HelveError('connection_inaccessible', `ended: ${reason}`);
        },
      }).then(
        () => 'renewed',
        (error: HelveError) => {
          expect(JSON.stringify(error)).not.toMatch(/nobody-may-read/);
          return error.code;
        },
      );
    },
  };
}

describe('R-oauth: the answer to a refresh', () => {
  test.each([
    ['invalid_grant', refusal(400, 'invalid_grant')],
    ['invalid_grant, with any status of a refusal', refusal(401, 'invalid_grant')],
    ['bad_refresh_token of GitHub, under status 200', refusal(200, 'bad_refresh_token')],
    ['invalid_refresh_token of Slack', { status: 200, body: '{"ok":false,"error":"invalid_refresh_token"}' }],
  ])('R-oauth: %s ends the account', async (_, answer) => {
    const account = await openAccount();
    expect(await account.renew(answer)).toBe('connection_inaccessible');
    expect(await account.pause()).toBeUndefined();
  });

  test.each([
    ['429 slow_down', refusal(429, 'slow_down'), 'rate_limited'],
    ['429 without a word', { status: 429, body: '<h1>busy</h1>' }, 'rate_limited'],
    ['429 that says invalid_grant', refusal(429, 'invalid_grant'), 'rate_limited'],
    ['slow_down', refusal(400, 'slow_down'), 'rate_limited'],
    ['temporarily_unavailable', refusal(400, 'temporarily_unavailable'), 'upstream_failed'],
    ['temporarily_unavailable, 503', refusal(503, 'temporarily_unavailable'), 'upstream_failed'],
    ['invalid_grant, 500', refusal(500, 'invalid_grant'), 'upstream_failed'],
    ['invalid_client', refusal(401, 'invalid_client'), 'upstream_failed'],
    [
      'invalid_client with a challenge',
      refusal(401, 'invalid_client', { 'www-authenticate': 'Basic' }),
      'upstream_failed',
    ],
    ['unauthorized_client', refusal(400, 'unauthorized_client'), 'upstream_failed'],
    ['invalid_request', refusal(400, 'invalid_request'), 'upstream_failed'],
    ['an unknown error name', refusal(403, 'tuesday'), 'upstream_failed'],
    ['a page', { status: 403, body: '<h1>no</h1>' }, 'upstream_failed'],
  ])('R-oauth: %s leaves the account unchanged, and the next attempt renews it', async (_, answer, code) => {
    const account = await openAccount();
    expect(await account.renew(answer)).toBe(code);
    expect(await account.pause()).toEqual({
      since: new Date(start).toISOString(),
      until: new Date(start + 3_000).toISOString(),
      failures: 1,
    });
    now += 3_000;
    expect(await account.renew(granted)).toBe('renewed');
    expect(await account.pause()).toBeUndefined();
  });
});

describe('R-oauth: the answer to an exchange of the filled-in fields', () => {
  test.each([
    ['forbidden', 'The service answered 401: {"error":"invalid_client"}', true],
    ['invalid_input', 'The service answered 400: {"error":"invalid_grant"}', true],
    ['invalid_input', 'The service answered 400: {"error":"temporarily_unavailable"}', false],
    ['invalid_input', 'The service answered 400: {"error":"slow_down"}', false],
    ['forbidden', 'The service answered 403: {"error":"server_error"}', false],
    ['rate_limited', 'The service answered 429: slow down', false],
    ['upstream_failed', 'The service answered 503', false],
    ['not_found', 'The service answered 404: nothing here', false],
    ['conflict', 'There is no OAuth client', false],
    ['internal', 'Helve failed', false],
  ] as const)('R-oauth: %s, %s', (code, message, ends) => {
    expect(endsExchange(new HelveError(code, message))).toBe(ends);
  });
});

describe('R-oauth: the renewing process', () => {
  test('R-oauth: shows that it is alive before it takes the lock, which others take from dead processes', async () => {
    const account = await openAccount();
    await account.renew(granted);
    expect(account.steps).toEqual(['seen', 'asked']);
  });

  test.each([
    'gone',
    'answer_lost',
  ] as const)('R-oauth: keeps the new token if the store fails at that moment (%s): the old one may be used up', async (fault) => {
    const account = await openAccount();
    account.failOnce(fault);
    expect(await account.renew(granted)).toBe('renewed');
    expect([await account.stored(), account.requests()]).toEqual(['fresh', 1]);
  });
});

describe('R-oauth: the pause after a renewal that failed', () => {
  const length = async (account: Awaited<ReturnType<typeof openAccount>>): Promise<number> => {
    const pause = await account.pause();
    return pause === undefined ? 0 : Date.parse(pause.until) - Date.parse(pause.since);
  };

  test('R-oauth: no requests are sent during it, it doubles with each failure up to five minutes, and starts over afterwards', async () => {
    const account = await openAccount();
    const lengths: number[] = [];
    for (let failure = 1; failure <= 10; failure += 1) {
      expect(await account.renew(refusal(400, 'temporarily_unavailable'))).toBe('upstream_failed');
      expect(account.requests()).toBe(failure);
      lengths.push(await length(account));
      now += (await length(account)) - 1;
      expect(await account.renew(granted)).toBe('upstream_failed');
      expect(account.requests()).toBe(failure);
      now += 1;
    }
    expect(lengths.map((milliseconds) => milliseconds / 1_000)).toEqual([3, 6, 12, 24, 48, 96, 192, 300, 300, 300]);
    expect(await account.renew(granted)).toBe('renewed');
  });

  test('R-oauth: it is randomly a little longer, so that not all accounts ask at the same time', async () => {
    const [one, two] = [await openAccount(0.2), await openAccount(0.9)];
    for (const account of [one, two]) await account.renew(refusal(503, 'server_error'));
    expect([await length(one), await length(two)]).toEqual([3_300, 4_350]);
  });

  test.each([
    ['seconds', { 'retry-after': '120' }, 120],
    [
      'a date by the server’s own clock',
      { 'retry-after': 'Wed, 01 Jan 2020 00:02:00 GMT', date: 'Wed, 01 Jan 2020 00:00:00 GMT' },
      120,
    ],
    ['less than the pause that has grown', { 'retry-after': '1' }, 3],
    ['ten years: an hour', { 'retry-after': '315360000' }, 3_600],
    ['no time', { 'retry-after': 'soon' }, 3],
  ])('R-oauth: Retry-After is honoured: %s', async (_, headers, seconds) => {
    const account = await openAccount();
    expect(await account.renew(refusal(429, 'slow_down', headers))).toBe('rate_limited');
    expect(await length(account)).toBe(seconds * 1_000);
  });

  test('R-oauth: a clock that was set back ends it', async () => {
    const account = await openAccount();
    await account.renew(refusal(429, 'slow_down', { 'retry-after': '600' }));
    now = start - 365 * 86_400_000;
    expect(await account.renew(granted)).toBe('renewed');
    expect(account.requests()).toBe(2);
  });

  test('R-oauth: no longer than the pause itself when the clock is set back within it', async () => {
    const account = await openAccount();
    now = start + 1_000;
    await account.renew(refusal(429, 'slow_down', { 'retry-after': '600' }));
    now = start;
    expect(await account.renew(granted)).toBe('renewed');
  });
});
