/** Signing and verifying webhooks, tested against the reference library in both directions. */
import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { signWebhook, verifyWebhook, type WebhookHeaders, webhookKey } from './webhook-signature.js';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const now = Math.floor(Date.now() / 1_000);
const body = '{"text":"Grüße 👋"}';
const signed = (more: Partial<Parameters<typeof signWebhook>[1]> = {}, secrets: string | string[] = secret) =>
  signWebhook(secrets, { id: 'msg_1', timestamp: now, body, ...more });
const accepts = { id: 'msg_1', timestamp: now };

async function check(
  headers: WebhookHeaders,
  raw: string | Uint8Array = body,
  secrets: string | string[] = secret,
  options = {},
) {
  try {
    return await verifyWebhook(headers, raw, secrets, { now, ...options });
  } catch (thrown) {
    return (thrown as { code: string }).code;
  }
}

describe('against the library', () => {
  test('R-webhook: each accepts what the other signed, for any text', async () => {
    const library = new Webhook(secret);
    const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,60}$/);
    await fc.assert(
      fc.asyncProperty(id, fc.string({ minLength: 1, unit: 'grapheme' }), async (name, text) => {
        const ours = signed({ id: name, body: text });
        library.verify(text, ours, { jsonParse: false });
        const theirs = { ...ours, 'webhook-signature': library.sign(name, new Date(now * 1_000), text) };
        expect(theirs).toEqual(ours);
        expect(await check(theirs, text)).toEqual({ id: name, timestamp: now });
      }),
      { numRuns: 200 },
    );
  });

  test('R-webhook: the published example', () => {
    const example = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' };
    expect(signWebhook(secret, example)['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });
});

describe('what is accepted', () => {
  test.each<[string, WebhookHeaders]>([
    ['an object', signed()],
    [
      'other cases of the names',
      Object.fromEntries(Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), value])),
    ],
    ['a Headers', new Headers(signed())],
    ['pairs', Object.entries(signed())],
    [
      'lists of one value, as Node gives them',
      Object.fromEntries(Object.entries(signed()).map(([name, value]) => [name, [value]])),
    ],
    [
      'one right signature among others',
      { ...signed(), 'webhook-signature': `v1a,xyz v1,${'A'.repeat(43)}= ${signed()['webhook-signature']} v2,x` },
    ],
    ['exactly 300 s old', signed({ timestamp: now - 300 })],
    ['exactly 300 s ahead', signed({ timestamp: now + 300 })],
  ])('R-webhook: %s', async (_what, headers) => {
    expect(await check(headers)).toMatchObject({ id: 'msg_1' });
  });

  test('R-webhook: both the old and the new secret during a change, on either side', async () => {
    expect(await check(signed({}, [secret, other]), body, other)).toEqual(accepts);
    expect(await check(signed({}, other), body, [secret, other])).toEqual(accepts);
  });

  test('R-webhook: raw bytes, including compressed ones and invalid UTF-8', async () => {
    for (const raw of [gzipSync(body), Buffer.from([0xff, 0x00, 0xfe]), new Uint8Array(0)]) {
      expect(await check(signed({ body: raw }), raw)).toEqual(accepts);
    }
    expect(await check(signed({ body: gzipSync(body) }), body)).toBe('unauthenticated');
  });
});

const without = (name: string) => Object.fromEntries(Object.entries(signed()).filter(([key]) => key !== name));
const withSignature = (value: string) => ({ ...signed(), 'webhook-signature': value });
const signature = signed()['webhook-signature'].slice(3);
const withTime = (timestamp: string) => {
  const key = webhookKey(secret) ?? '';
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${createHmac('sha256', key).update(`msg_1.${timestamp}.${body}`).digest('base64')}`,
  };
};

describe('what is refused', () => {
  test.each<[string, WebhookHeaders]>([
    ['6 min old', signed({ timestamp: now - 360 })],
    ['6 min ahead', signed({ timestamp: now + 360 })],
    ['301 s old', signed({ timestamp: now - 301 })],
    ['no id', without('webhook-id')],
    ['no timestamp', without('webhook-timestamp')],
    ['no signature', without('webhook-signature')],
    ['nothing', {}],
    ['an empty signature', withSignature('')],
    ['another secret', signed({}, other)],
    ['another id', { ...signed(), 'webhook-id': 'msg_2' }],
    ['another time', { ...signed(), 'webhook-timestamp': String(now + 1) }],
    ['a signature cut short', withSignature(`v1,${signature.slice(0, -5)}`)],
    ['a signature with more behind', withSignature(`v1,${signature}AAAA`)],
    ['no padding', withSignature(`v1,${signature.replace('=', '')}`)],
    ['base64url', withSignature(`v1,${Buffer.from(signature, 'base64').toString('base64url')}`)],
    ['hexadecimal', withSignature(`v1,${Buffer.from(signature, 'base64').toString('hex')}`)],
    [
      'another spelling of the same bytes',
      withSignature(
        `v1,${signature.replace(/.=$/, (end) => `${String.fromCharCode((end.codePointAt(0) ?? 65) + 1)}=`)}`,
      ),
    ],
    ['version 2', withSignature(`v2,${signature}`)],
    ['version 1a', withSignature(`v1a,${signature}`)],
    ['no version', withSignature(signature)],
    ['upper case version', withSignature(`V1,${signature}`)],
    ['another algorithm', withSignature(`v1,sha256=${signature}`)],
    ['none', withSignature('v1,none')],
    ['commas between signatures', withSignature(`v1,x,v1,${signature}`)],
    ['too many signatures', withSignature(`${'v1,x '.repeat(30)}v1,${signature}`)],
    [
      'an unkeyed hash',
      withSignature(`v1,${createHmac('sha256', '').update(`msg_1.${now}.${body}`).digest('base64')}`),
    ],
    ['two ids', [...Object.entries(signed()), ['webhook-id', 'msg_1']]],
    ['two ids in other cases', { ...signed(), 'Webhook-Id': 'msg_1' }],
    ['two timestamps', { ...signed(), 'webhook-timestamp': [String(now), String(now)] }],
    [
      'two signatures that a proxy joined',
      (() => {
        const joined = new Headers(signed());
        joined.append('webhook-signature', signed()['webhook-signature']);
        return joined;
      })(),
    ],
    ...[
      'NaN',
      '',
      ' ',
      '-1',
      '0',
      `${now}.0`,
      `${now}e0`,
      `0x${now.toString(16)}`,
      ` ${now}`,
      `${now} `,
      `+${now}`,
      `0${now}`,
      '9'.repeat(12),
      '9'.repeat(400),
      'Infinity',
      `${now},${now}`,
      new Date(now * 1_000).toISOString(),
    ].map((time): [string, WebhookHeaders] => [`the time ${time.slice(0, 30)}`, withTime(time)]),
  ])('R-webhook: %s', async (_what, headers) => {
    // biome-ignore format: a table
    expect(await check(headers)).toBe('unauthenticated');
  });

  test.each([
    ['a space more', `${body} `],
    ['a line end', `${body}\n`],
    ['a byte order mark', `\ufeff${body}`],
    ['the same JSON, written otherwise', JSON.stringify(JSON.parse(body), null, 1)],
    ['another normal form', body.normalize('NFD')],
    ['nothing', ''],
  ])('R-webhook: a body with %s', async (_what, raw) => {
    expect(await check(signed(), raw)).toBe('unauthenticated');
  });

  test('R-webhook: an id that would take over the start of the body', async () => {
    const shifted = '5.{"amount":1}';
    const headers = signed({ body: `${now}.${shifted}` });
    for (const id of [`msg_1.${now}`, 'a.b', '.', 'a b', 'a,b', 'ä', 'x'.repeat(256), 'a\n']) {
      expect(await check({ ...headers, 'webhook-id': id }, shifted), id).toBe('unauthenticated');
      expect(() => signed({ id })).toThrow();
    }
  });

  test('R-webhook: an id that was seen before in an accepted webhook', async () => {
    const claimed = new Map<string, number>();
    const seen = { claim: (id: string, until: number) => !claimed.has(id) && Boolean(claimed.set(id, until)) };
    expect(await check(signed({}, other), body, secret, { seen })).toBe('unauthenticated');
    expect(claimed.size).toBe(0);
    expect(await check(signed(), body, secret, { seen })).toEqual(accepts);
    expect(await check(signed(), body, secret, { seen })).toBe('unauthenticated');
    expect(await check(signed({ timestamp: now + 1 }), body, secret, { seen })).toBe('unauthenticated');
    // It is stored for as long as its timestamp would be accepted.
    expect(await check(signed(), body, secret, { now: Number(claimed.get('msg_1')) })).toBe('unauthenticated');
  });

  test.each([
    '',
    'whsec_',
    'whsec_c2hvcnQ=',
    'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'whsec_!!!!',
    `whsec_${'A'.repeat(33)}`,
    `${secret} `,
    `whpk_${secret.slice(6)}`,
    `WHSEC_${secret.slice(6)}`,
  ])('R-webhook: the secret "%s" is not a valid secret', async (bad) => {
    // biome-ignore format: a table
    expect(await check(signed(), body, bad)).toBe('invalid_config');
    expect(await check(signed(), body, [secret, bad])).toBe('invalid_config');
    expect(() => signed({}, bad)).toThrow();
    expect(await check(signed(), body, [])).toBe('invalid_config');
  });

  test('R-webhook: timestamps and tolerances that are not numbers', async () => {
    for (const timestamp of [Number.NaN, -1, 0, 1.5, Number.POSITIVE_INFINITY])
      expect(() => signed({ timestamp })).toThrow();
    expect(await check(signed(), body, secret, { now: Number.NaN })).toBe('unauthenticated');
    expect(await check(signed(), body, secret, { toleranceSeconds: Number.NaN })).toBe('unauthenticated');
  });
});
