/** Refusals, and requests that are sent again. A fake, because no counterpart has these faults. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { connectedTo, named, testKey } from './testing/connected.js';
import { type Answer, type Front, type Seen, startFront } from './testing/front.js';

let front: Front;
let helve: TestHelve;
beforeAll(async () => {
  front = await startFront(async () => ({ status: 200, json: { id: 'cus_1' } }));
  helve = await createTestHelve(connectedTo(front.url));
});
afterAll(async () => {
  await helve.close();
  await front.close();
});
beforeEach(() => front.reset());

const refusal = (status: number, error: object, headers = {}): Answer => ({ status, json: { error }, headers });
const call = (tool: string, input: object) => helve.call(named(tool), input);

// biome-ignore format: a table
test.each<readonly [what: string, answer: Answer, expected: object]>([
  ['a declined card', refusal(402, { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds', message: 'Your card has insufficient funds.', doc_url: 'https://x', payment_intent: { id: 'pi_1', client_secret: 'pi_1_secret_x' } }, { 'request-id': 'req_1' }),
    { code: 'invalid_input', message: 'Stripe refused: Your card has insufficient funds.', hint: expect.stringContaining('Another payment method'), details: { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds', doc_url: 'https://x', payment_intent: 'pi_1', request_id: 'req_1', status: 402 } }],
  ['a wrong parameter', refusal(400, { type: 'invalid_request_error', code: 'parameter_invalid_integer', param: 'line_items[0][quantity]', message: 'Invalid integer' }),
    { code: 'invalid_input', hint: 'Check line_items[0][quantity].', details: { param: 'line_items[0][quantity]' } }],
  ['a missing object that a parameter names', refusal(400, { type: 'invalid_request_error', code: 'resource_missing', param: 'customer', message: 'No such customer' }), { code: 'not_found' }],
  ['a state that does not allow it', refusal(400, { type: 'invalid_request_error', code: 'charge_already_refunded', message: 'Already refunded' }), { code: 'conflict' }],
  ['a missing permission', refusal(403, { type: 'invalid_request_error', message: 'The provided key does not have it' }), { code: 'forbidden', hint: expect.stringContaining('permission') }],
  ['a proxy', { status: 403, json: '<html>' }, { code: 'forbidden' }],
])('R-stripe: %s', async (_what, answer, expected) => {
  front.react = () => answer;
  expect(await call('create_customer', {})).toMatchObject({ ok: false, error: expected });
  expect(front.seen).toHaveLength(1);
});

// biome-ignore format: a table
test.each<readonly [what: string, answer: Answer]>([
  ['lock_timeout', refusal(429, { type: 'invalid_request_error', code: 'lock_timeout', message: 'Locked' })],
  ['rate_limit', refusal(429, { type: 'invalid_request_error', code: 'rate_limit', message: 'Slow down' }, { 'retry-after': '1' })],
  ['a key in use', refusal(409, { type: 'idempotency_error', code: 'idempotency_key_in_use', message: 'In use' })],
  ['Stripe-Should-Retry', refusal(409, { type: 'invalid_request_error', message: 'Not now' }, { 'stripe-should-retry': 'true' })],
])('R-stripe: %s is sent again with the same key', async (_what, answer) => {
  front.react = () => (front.seen.length === 1 ? answer : undefined);
  expect(await call('create_customer', {})).toMatchObject({ ok: true, output: { id: 'cus_1' } });
  expect(new Set(front.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  expect(front.seen).toHaveLength(2);
});

test('R-stripe: an empty list takes away what was there', async () => {
  await call('update_product', { product: 'prod_1', images: [], metadata: {} });
  expect(front.seen[0]).toMatchObject({ method: 'POST', path: '/v1/products/prod_1', body: 'images=' });
});

describe('no answer at all', () => {
  test.each(['lost', '500'])('R-stripe: a write has an unknown outcome, a read has failed (%s)', async (how) => {
    front.react = () => (how === 'lost' ? 'lost' : refusal(500, { type: 'api_error', message: 'Oh no' }));
    const [written, looked] = await Promise.all([
      call('create_customer', { name: 'a' }),
      call('get_customer', { customer: 'cus_1' }),
    ]);
    expect(written).toMatchObject({ error: { code: 'outcome_unknown', retryable: false } });
    expect(looked).toMatchObject({ error: { code: 'upstream_failed', retryable: true } });
    const keys = front.seen.filter(({ method }) => method === 'POST').map(({ headers }) => headers['idempotency-key']);
    expect([keys.length, new Set(keys).size]).toEqual([5, 1]);
  });

  test.each([
    ['is not JSON', '<html>Please wait</html>', 'upstream_failed'],
    ['is too large', JSON.stringify({ id: 'cus_1', name: 'x'.repeat(10_000_000) }), 'too_large'],
  ])('R-stripe: a write whose answer %s has an unknown outcome and is not sent again, a read has failed', async (_, text, code) => {
    front.react = () => ({ status: 200, json: undefined, text });
    expect(await call('create_customer', { name: 'a' })).toMatchObject({
      error: { code: 'outcome_unknown', retryable: false, hint: expect.stringContaining('Check before') },
    });
    expect(front.seen).toHaveLength(1);
    expect(await call('get_customer', { customer: 'cus_1' })).toMatchObject({ error: { code } });
  });

  test('R-stripe: a write that is answered with a redirect has an unknown outcome and is not sent again', async () => {
    front.react = () => ({ status: 303, json: {}, headers: { location: '/elsewhere' } });
    expect(await call('create_customer', { name: 'a' })).toMatchObject({ error: { code: 'outcome_unknown' } });
    expect(front.seen).toHaveLength(1);
  });

  test('R-stripe: a subscription that was ended before the answer was lost is reported as ended', async () => {
    front.react = ({ method }) => {
      if (method === 'GET') return { status: 200, json: { id: 'sub_1', status: 'canceled' } };
      return front.seen.length === 1 ? 'lost' : refusal(404, { code: 'resource_missing', message: 'No such' });
    };
    expect(await call('cancel_subscription', { subscription: 'sub_1' })).toMatchObject({
      ok: true,
      output: { status: 'canceled' },
    });
    expect(front.seen.map(({ method }) => method)).toEqual(['DELETE', 'DELETE', 'GET']);
    front.react = () => refusal(404, { code: 'resource_missing', message: 'No such' });
    expect(await call('cancel_subscription', { subscription: 'sub_2' })).toMatchObject({
      error: { code: 'not_found' },
    });
  });
});

test('R-stripe: a key that Stripe repeats in a refusal is removed, for the caller and in the record', async () => {
  front.react = () => refusal(400, { type: 'invalid_request_error', message: `Odd key: ${testKey}` });
  const result = await call('get_balance', {});
  expect(result).toMatchObject({ error: { message: 'Stripe refused: Odd key: [credential removed]' } });
  const row = (await helve.audited()).at(-1);
  expect(row?.body).toMatchObject({ error: { message: expect.stringContaining('Odd key: ') } });
  expect(JSON.stringify([result, row])).not.toContain(testKey);
});

test('R-stripe: a key that Stripe no longer accepts marks the connection, and is shown to nobody', async () => {
  front.react = () => refusal(401, { type: 'invalid_request_error', message: `Expired API Key: ${testKey}` });
  const expired = await createTestHelve(connectedTo(front.url));
  const result = await expired.call(named('get_balance'), {});
  const connection = await expired.plane.connection(expired.admin, 'shop');
  expect(result).toMatchObject({ error: { code: 'connection_inaccessible' } });
  // The reason is kept and shown with the connection, so it could contain the key.
  expect(connection).toMatchObject({ status: 'error', reason: expect.stringContaining('Expired API Key') });
  const said = JSON.stringify([result, connection, await expired.audited()]);
  expect(said).toContain('Expired API Key');
  expect(said).not.toContain(testKey);
  await expired.close();
});

test('R-stripe: the account of a restricted key that may not read it is taken from the refusal', async () => {
  const message = (account: string) => `The provided key 'rk_test_***' does not have the permissions on ${account}.`;
  front.react = () => refusal(403, { message: message("account 'acct_123abc'") });
  const restricted = await createTestHelve(connectedTo(front.url, { key: 'rk_test_0123456789', check: true }));
  expect(await restricted.plane.connection(restricted.admin, 'shop')).toMatchObject({ account: { id: 'acct_123abc' } });
  await restricted.close();
  front.react = () => refusal(403, { message: message('this account') });
  const nameless = createTestHelve(connectedTo(front.url, { key: 'rk_test_0123456789', check: true }));
  await expect(nameless).rejects.toThrow();
});

describe('an account that has one id in live mode and in test mode', () => {
  const keys = { test: 'sk_test_0123456789abcdef', live: 'sk_live_0123456789abcdef' };
  const restricted = { test: 'rk_test_0123456789abcdef', live: 'rk_live_0123456789abcdef' };

  /** Stripe, by the key of the request. A restricted key may read nothing. */
  function answerByKey({ path, headers }: Seen): Answer {
    const [, kind = '', mode = ''] = /^Bearer ([rs]k)_(live|test)_/.exec(headers.authorization ?? '') ?? [];
    const provided = `The provided key '${kind}_${mode}_*****cdef' does not have the required permissions`;
    if (kind === 'rk') return refusal(403, { message: `${provided} for this endpoint on account 'acct_1'.` });
    if (path === '/v1/account') return { status: 200, json: { id: 'acct_1', email: 'ops@shop.example' } };
    return { status: 200, json: { object: 'balance', livemode: mode === 'live' } };
  }

  test.each([
    ['a secret key', keys.test, keys.live],
    ['a restricted key', restricted.test, restricted.live],
    ['a secret key, after a restricted one', restricted.test, keys.live],
    ['a test key, after a live one', keys.live, keys.test],
  ])('attack: %s of the other mode does not get what the account was granted', async (_what, first, second) => {
    front.react = answerByKey;
    const shop = await createTestHelve(connectedTo(front.url, { key: first, check: true }));
    const before = await shop.plane.connection(shop.admin, 'shop');
    expect(before).toMatchObject({ account: { id: 'acct_1', environment: first.slice(3, 7) } });
    await expect(shop.plane.connect(shop.admin, 'shop', { credentials: { key: second } })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/ \((?:test|live)\), but this is .* \((?:test|live)\)$/),
    });
    expect(await shop.plane.connection(shop.admin, 'shop')).toMatchObject({
      status: 'active',
      account: before.account,
    });
    // The control: another key of the same mode.
    await shop.plane.connect(shop.admin, 'shop', { credentials: { key: `${first}2` } });
    await shop.close();
  });

  test('R-stripe: an account whose mode was not known yet gets that of its next sign-in', async () => {
    front.react = (seen) => (seen.path === '/v1/balance' ? { status: 200, json: {} } : answerByKey(seen));
    const shop = await createTestHelve(connectedTo(front.url, { key: keys.test, check: true }));
    front.react = answerByKey;
    const { connection } = await shop.plane.connect(shop.admin, 'shop', { credentials: { key: keys.test } });
    expect(connection).toMatchObject({ account: { id: 'acct_1', environment: 'test' } });
    await shop.close();
  });
});

test('R-stripe: an account that was connected with OAuth for reading is only read', async () => {
  const account = { toolkit: 'stripe', name: 'Shop', scheme: 'oauth2' };
  for (const [scope, written] of [
    ['read_only', { ok: false }],
    ['read_write', { ok: true }],
  ] as const) {
    const credentials = { access_token: 'sk_test_of_oauth', scope };
    const plane = await createTestHelve({ ...connectedTo(front.url), connections: [{ ...account, credentials }] });
    front.reset();
    expect(await plane.call(named('get_customer'), { customer: 'cus_1' })).toMatchObject({ ok: true });
    expect(front.seen[0]?.headers.authorization).toBe('Bearer sk_test_of_oauth');
    expect(await plane.call(named('create_customer'), {})).toMatchObject(written);
    expect(front.seen).toHaveLength(written.ok ? 2 : 1);
    await plane.close();
  }
});
