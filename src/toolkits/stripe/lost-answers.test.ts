/**
 * The answer to each write is lost, and the call is made again as the next owner of its run makes it. The server is a fake
 * that keeps idempotency keys as Stripe does and counts effects; two tools run against `stripe-stateful-mock` as well.
 */
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Act,
  forwardTo,
  namesWithEffects,
  type Reply,
  repeatAfterLoss,
} from '../../../tests/counterparts/lost-answers.js';
import { type Scripted, startScripted } from '../../../tests/counterparts/scripted.js';
import { stores, useStore } from '../../../tests/counterparts/stores.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { connectedTo, named, testKey } from './testing/connected.js';
import { type Stateful, startStateful } from './testing/stateful.js';
import { stripeTools } from './tools/index.js';

describe.each(stores)('on %s', (kind) => {
  const store = useStore(kind);
  let server: Scripted;
  let helve: TestHelve;
  beforeAll(async () => {
    server = await startScripted();
    helve = await createTestHelve({ ...connectedTo(server.url), ...(await store()) });
  });
  afterAll(async () => {
    await helve?.close();
    await server?.close();
  });

  let effects: string[];
  let answers: Map<string, Reply>;
  beforeEach(() => {
    effects = [];
    answers = new Map();
  });

  const money = { currency: 'usd', amount: 1, total: 1, amount_due: 1, amount_paid: 1, amount_remaining: 1 };

  const stripe: Act = ({ method, url, headers }) => {
    const key = String(headers['idempotency-key']);
    const known = answers.get(key);
    if (known) return known;
    effects.push(`${method} ${url}`);
    const lists = { line_items: { data: [], has_more: false }, lines: { data: [], has_more: false } };
    const object = {
      id: `x_${effects.length}`,
      name: 'x',
      status: 'open',
      type: 'one_time',
      url: 'https://x',
      active: true,
    };
    const reply = { body: { ...object, ...money, ...lists, product: 'prod_1', created: 1_767_225_600 } };
    answers.set(key, reply);
    return reply;
  };

  // biome-ignore format: a table
  const rows: readonly (readonly [tool: string, input: object])[] = [
  ['create_customer', { name: 'Ada' }],
  ['update_customer', { customer: 'cus_1', name: 'Ada' }],
  ['create_product', { name: 'Tea' }],
  ['update_product', { product: 'prod_1', active: false }],
  ['create_price', { product: 'prod_1', currency: 'usd', unit_amount: 1 }],
  ['create_invoice', { customer: 'cus_1' }],
  ['update_invoice', { invoice: 'in_1', footer: 'f' }],
  ['add_invoice_item', { customer: 'cus_1', amount: 1, currency: 'usd' }],
  ['finalize_invoice', { invoice: 'in_1' }],
  ['send_invoice', { invoice: 'in_1' }],
  ['void_invoice', { invoice: 'in_1' }],
  ['create_payment_link', { line_items: [{ price: 'price_1', quantity: 1 }] }],
  ['update_payment_link', { payment_link: 'plink_1', active: false }],
  ['create_payment_intent', { amount: 1, currency: 'usd' }],
  ['cancel_payment_intent', { payment_intent: 'pi_1' }],
  ['capture_payment_intent', { payment_intent: 'pi_1' }],
  ['create_refund', { charge: 'ch_1' }],
  ['cancel_subscription', { subscription: 'sub_1' }],
];

  test('R-durable-runs: every tool of Stripe with effects has a row here', () => {
    expect(rows.map(([tool]) => tool).sort()).toEqual(namesWithEffects(stripeTools).sort());
  });

  describe.each(['after', 'before'] as const)('the answer is lost %s Stripe acted', (lost) => {
    test.each(rows)('R-durable-runs: %s happens once', async (tool, input) => {
      const { result } = await repeatAfterLoss({ helve, tool: named(tool), input }, { server, act: stripe }, lost);
      expect(result).toMatchObject({ ok: true });
      expect(effects).toHaveLength(1);
    });
  });

  test('R-durable-runs: with another key the second time it happens twice', async () => {
    const forgetful: Act = (seen) =>
      stripe({ ...seen, headers: { ...seen.headers, 'idempotency-key': `k${effects.length}` } });
    await repeatAfterLoss(
      { helve, tool: named('create_refund'), input: { charge: 'ch_1' } },
      { server, act: forgetful },
      'after',
    );
    expect(effects).toHaveLength(2);
  });

  test('R-durable-runs: an attempt that is older than Stripe’s memory is left to a person', async () => {
    const call = { helve, tool: named('create_refund'), input: { charge: 'ch_1' } };
    const { result, seen } = await repeatAfterLoss(call, { server, act: stripe }, { lost: 'after', hoursAgo: 24 });
    expect(result).toMatchObject({ ok: false, error: { code: 'outcome_unknown' } });
    expect(seen).toEqual([]);
  });

  describe('stripe-stateful-mock', () => {
    let mock: Stateful;
    let official: Stripe;
    beforeAll(async () => {
      mock = await startStateful();
      official = new Stripe(testKey, { host: '127.0.0.1', port: mock.port, protocol: 'http', maxNetworkRetries: 0 });
    });
    afterAll(() => mock.close());

    test.each([
      'after',
      'before',
    ] as const)('R-durable-runs: one refund when the answer is lost %s it was made', async (lost) => {
      const charge = await official.charges.create({ amount: 1_000, currency: 'usd', source: 'tok_visa' });
      const call = { helve, tool: named('create_refund'), input: { charge: charge.id, amount: 100 } };
      const act = forwardTo(`http://127.0.0.1:${mock.port}`);
      const { result } = await repeatAfterLoss(call, { server, act }, lost);
      const { data } = await official.refunds.list({ charge: charge.id });
      expect(data).toMatchObject([{ amount: 100 }]);
      expect(result).toMatchObject({ ok: true, output: { id: data[0]?.id } });
    });
  });
});
