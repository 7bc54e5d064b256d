/** What the tools create exists, as Stripe's own client sees on the same counterpart, and only once, even after lost answers. */
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { connectedTo, named, testKey } from './testing/connected.js';
import { type Stateful, startStateful } from './testing/stateful.js';

let mock: Stateful;
let official: Stripe;
let helve: TestHelve;
beforeAll(async () => {
  mock = await startStateful();
  official = new Stripe(testKey, { host: '127.0.0.1', port: mock.port, protocol: 'http', maxNetworkRetries: 0 });
  helve = await createTestHelve(connectedTo(mock.front.url));
});
afterAll(async () => {
  await helve.close();
  await mock.close();
});
beforeEach(() => mock.front.reset());

interface Output {
  readonly id: string;
  readonly next?: string;
  readonly customers: readonly object[];
  readonly prices: readonly object[];
  readonly charges: readonly { readonly id: string }[];
  readonly refunds: readonly object[];
  readonly subscriptions: readonly object[];
}

async function call(tool: string, input: object): Promise<Output> {
  const result = await helve.call(named(tool), input);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.output as unknown as Output;
}
const refused = async (tool: string, input: object) => (await helve.call(named(tool), input)) as unknown;
const charged = (amount: number) => official.charges.create({ amount, currency: 'usd', source: 'tok_visa' });

describe('customers', () => {
  test('R-stripe: created, changed and found again, also by Stripe’s own client', async () => {
    const made = await call('create_customer', { email: 'ada@example.com', metadata: { plan: 'pro' } });
    await call('update_customer', { customer: made.id, description: 'First of all', metadata: { plan: 'free' } });
    const seen = await official.customers.retrieve(made.id);
    expect(seen).toMatchObject({ email: 'ada@example.com', description: 'First of all', metadata: { plan: 'free' } });
    expect(await call('get_customer', { customer: made.id })).toMatchObject({ description: 'First of all' });
    const { customers } = await call('list_customers', { email: 'ada@example.com' });
    expect(customers).toMatchObject([{ id: made.id }]);
  });

  test('R-stripe: a customer that does not exist is refused, and nothing is created', async () => {
    expect(await refused('get_customer', { customer: 'cus_nobody' })).toMatchObject({
      ok: false,
      error: {
        code: 'not_found',
        message: 'Stripe refused: No such customer: cus_nobody',
        hint: expect.stringContaining('test mode'),
        details: { status: 404, code: 'resource_missing', param: 'id' },
      },
    });
    expect(await refused('update_customer', { customer: 'cus_nobody', name: 'x' })).toMatchObject({
      error: { code: 'not_found' },
    });
  });

  test('R-stripe: the pages of a list, to the last', async () => {
    const email = 'page@example.com';
    for (let number = 0; number < 3; number++) await official.customers.create({ email });
    const first = await call('list_customers', { email, limit: 2 });
    const second = await call('list_customers', { email, limit: 2, starting_after: first.next });
    expect([first.customers, second.customers].map((page) => page.length)).toEqual([2, 1]);
    expect(second.next).toBeUndefined();
    expect(await refused('list_customers', { starting_after: 'cus_nobody' })).toMatchObject({
      error: { code: 'not_found', details: { param: 'starting_after' } },
    });
  });
});

describe('products and prices', () => {
  test('R-stripe: a product with a price, as Stripe’s own client sees them', async () => {
    const product = await call('create_product', { name: 'Tea', metadata: { kind: 'green' } });
    const price = await call('create_price', { product: product.id, currency: 'jpy', unit_amount: 500 });
    expect(price).toMatchObject({ product: product.id, unit_amount: 500, currency: 'jpy', type: 'one_time' });
    expect(await official.products.retrieve(product.id)).toMatchObject({ name: 'Tea', metadata: { kind: 'green' } });
    const { data } = await official.prices.list({ product: product.id });
    expect(data).toMatchObject([{ id: price.id, unit_amount: 500, currency: 'jpy' }]);
    expect((await call('list_prices', { product: product.id })).prices).toMatchObject([{ id: price.id }]);
    expect(await call('get_price', { price: price.id })).toMatchObject({ id: price.id });
    expect(await call('get_product', { product: product.id })).toMatchObject({ name: 'Tea' });
  });

  test('R-stripe: an unknown currency is refused, and no price is created', async () => {
    const product = await call('create_product', { name: 'Coffee' });
    expect(await refused('create_price', { product: product.id, currency: 'zzz', unit_amount: 1 })).toMatchObject({
      error: { code: 'invalid_input', details: { param: 'currency' }, hint: 'Check currency.' },
    });
    expect((await official.prices.list({ product: product.id })).data).toEqual([]);
  });
});

describe('money', () => {
  test('R-stripe: a part of a charge is refunded, and never more than was charged', async () => {
    const charge = await charged(1_050);
    const refund = await call('create_refund', { charge: charge.id, amount: 50, reason: 'duplicate' });
    expect(await official.refunds.retrieve(refund.id)).toMatchObject({ amount: 50, charge: charge.id });
    expect(await call('get_refund', { refund: refund.id })).toMatchObject({ status: 'succeeded', amount: 50 });
    expect(await refused('create_refund', { charge: charge.id, amount: 1_001 })).toMatchObject({
      ok: false,
      error: { code: 'invalid_input' },
    });
    const { charges } = await call('list_charges', {});
    const [found] = charges.filter(({ id }) => id === charge.id);
    expect(found).toMatchObject({ amount: 1_050, amount_refunded: 50, refunded: false });
    expect((await call('list_refunds', { charge: charge.id })).refunds).toMatchObject([{ id: refund.id }]);
  });

  test('R-stripe: after a lost answer the same key is sent again, and there is one refund', async () => {
    const charge = await charged(1_000);
    mock.front.react = () => (mock.front.seen.length === 1 ? 'lost' : undefined);
    const refund = await call('create_refund', { charge: charge.id, amount: 100 });
    const keys = mock.front.seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(2);
    expect(keys[0]).toMatch(/^helve-/);
    expect(keys[1]).toBe(keys[0]);
    expect((await official.refunds.list({ charge: charge.id })).data).toMatchObject([{ id: refund.id, amount: 100 }]);
    // Another call is another refund.
    await call('create_refund', { charge: charge.id, amount: 100 });
    expect(mock.front.seen[2]?.headers['idempotency-key']).not.toBe(keys[0]);
    expect((await official.refunds.list({ charge: charge.id })).data).toHaveLength(2);
  });

  test('R-stripe: a key that was used for something else is a conflict', async () => {
    mock.front.alter = (seen) => ({ ...seen, headers: { ...seen.headers, 'idempotency-key': 'twice' } });
    await call('create_customer', { email: 'one@example.com' });
    expect(await refused('create_customer', { email: 'two@example.com' })).toMatchObject({
      error: { code: 'conflict', details: { type: 'idempotency_error' }, hint: expect.stringContaining('Check') },
    });
  });

  test('R-stripe: money is moved only after a person’s approval, and nothing is ended for good unless a policy allows it', async () => {
    const strict = await createTestHelve({ ...connectedTo(mock.front.url), policies: [] });
    const charge = await charged(1_000);
    expect(await strict.call(named('create_refund'), { charge: charge.id })).toMatchObject({
      error: { code: 'approval_required' },
    });
    for (const [tool, input] of [
      ['cancel_subscription', { subscription: 'sub_1' }],
      ['void_invoice', { invoice: 'in_1' }],
    ] as const) {
      expect(await strict.call(named(tool), input)).toMatchObject({ error: { code: 'denied_by_policy' } });
    }
    expect(mock.front.seen).toEqual([]);
    await strict.close();
  });
});

test('R-stripe: subscriptions that Stripe’s own client made are read', async () => {
  const plan = await official.plans.create({
    amount: 500,
    currency: 'usd',
    interval: 'month',
    product: { name: 'Tea' },
  });
  const customer = await official.customers.create({ source: 'tok_visa' });
  const made = await official.subscriptions.create({ customer: customer.id, items: [{ plan: plan.id }] });
  expect(await call('get_subscription', { subscription: made.id })).toMatchObject({
    status: 'active',
    customer: customer.id,
    items: [{ quantity: 1 }],
  });
  const { subscriptions } = await call('list_subscriptions', { customer: customer.id });
  expect(subscriptions).toMatchObject([{ id: made.id }]);
  expect(await refused('get_subscription', { subscription: 'sub_none' })).toMatchObject({
    error: { code: 'not_found' },
  });
});

test('R-stripe: a key that Stripe does not know is refused when connecting, and no message contains it', async () => {
  const wrong = createTestHelve(connectedTo(mock.front.url, { key: 'rk_live_0123456789', check: true }));
  const error = await wrong.then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  expect(error?.message).toMatch(/does not take the credentials/);
  expect(String(error?.message)).not.toContain('rk_live_0123456789');
});
