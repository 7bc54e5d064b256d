/** Accounts that a provider stores: the provider is asked what the person did, and the callback is believed nothing. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../domain/json.js';
import type { HostedAccount, Provider } from '../../domain/provider.js';
import { createTestHelve, type TestHelve, type TestHelveOptions } from '../../testing/index.js';

const toolkit = {
  slug: 'mail',
  title: 'Mail',
  description: '',
  category: 'x',
  provider: 'composio',
  needsConnection: true,
  internal: false,
  auth: { schemes: [{ id: 'hosted', kind: 'hosted', title: 'Mail', hostedBy: 'composio' }] },
} as const;

let helve: TestHelve;
/** What the provider answers when it is asked about an account, and what happens while it is. */
let known: HostedAccount;
let whileAsked: () => Promise<unknown>;
/** What happens while the provider makes an account. */
let whileMade: () => Promise<unknown>;
let asksPerson: boolean;
let refusesToEnd: boolean;
let callbacks: URL[];
let looked: JsonObject[];
let ended: JsonObject[];
let withdraw: () => void;

function provider(): Provider {
  let offered: readonly (typeof toolkit)[] = [toolkit];
  return {
    kind: 'composio',
    toolkits: async () => offered,
    tools: async () => [],
    execute: async () => ({ output: 'ran' }),
    accounts: {
      async connect({ callbackUrl }) {
        callbacks.push(new URL(callbackUrl));
        const reference = { account: `account ${callbacks.length}` };
        await whileMade();
        return asksPerson ? { reference, redirectUrl: 'https://mail.invalid/allow' } : { reference };
      },
      async look({ settings }) {
        looked.push(settings);
        await whileAsked();
        return known;
      },
      async disconnect({ settings }) {
        ended.push(settings);
        if (refusesToEnd) throw new Error('It cannot be reached');
      },
    },
    onChange(listener) {
      withdraw = () => {
        offered = [];
        listener();
      };
      return () => undefined;
    },
    close: async () => undefined,
  };
}

async function open(options: TestHelveOptions = { publicUrl: 'http://127.0.0.1:4870' }): Promise<void> {
  helve = await createTestHelve({ nativeToolkits: [], providers: [provider()], ...options });
  await helve.plane.addConnection(helve.admin, { toolkit: 'mail', name: 'Mail' });
}

beforeEach(() => {
  known = { status: 'active' };
  whileAsked = async () => undefined;
  whileMade = async () => undefined;
  asksPerson = true;
  refusesToEnd = false;
  callbacks = [];
  looked = [];
  ended = [];
});
afterEach(() => helve.close());

const connect = () => helve.plane.connect(helve.admin, 'mail', {});
const stored = async () => (await helve.plane.connections(helve.admin))[0];
const endedAccounts = () => [...new Set(ended.map(({ account }) => account))].sort();
const types = async () => (await helve.audited()).map(({ type }) => type);
/** The browser returns from the sign-in that began last. */
const finish = () => helve.plane.finishHostedSignIn(callbacks.at(-1)?.searchParams ?? new URLSearchParams());
const says = (problem: string) => ({ ok: false, problem: expect.stringContaining(problem) });

test('R-composio-client: without an address of ours there is no callback, and the provider is not asked', async () => {
  await open({});
  await expect(connect()).rejects.toMatchObject({ code: 'invalid_config', hint: 'Set HELVE_PUBLIC_URL.' });
  expect([callbacks, (await stored())?.status]).toEqual([[], 'added']);
});

test('R-composio-client: an account that needs nobody’s consent is active immediately', async () => {
  await open();
  asksPerson = false;
  expect(await connect()).toEqual({
    connection: expect.objectContaining({ status: 'active', settings: { account: 'account 1' } }),
  });
});

test('R-composio-client: a sign-in finishes once, in time, and leaves its account in place', async () => {
  await open();
  await connect();
  expect(await stored()).toMatchObject({ status: 'pending', settings: { account: 'account 1' } });
  expect(await helve.plane.finishHostedSignIn(new URLSearchParams({ state: 'x' }))).toMatchObject(says('has ended'));
  expect(await finish()).toMatchObject({ ok: true, connection: { slug: 'mail' } });
  expect(await stored()).toMatchObject({ status: 'active', settings: { account: 'account 1' } });
  expect(ended).toEqual([]);
  expect(await finish()).toMatchObject(says('has ended'));
  await connect();
  helve.advance(60 * 60_000);
  expect(await finish()).toMatchObject(says('has ended'));
  expect(looked).toHaveLength(1);
});

test('R-composio-client: while the person is on the way nothing changes, and afterwards nobody asks again', async () => {
  await open();
  await connect();
  known = { status: 'pending' };
  expect(await helve.plane.connection(helve.admin, 'mail')).toEqual(await stored());
  expect(await types()).not.toContain('connection.failed');
  known = { status: 'active' };
  expect(await helve.plane.connection(helve.admin, 'mail')).toMatchObject({ status: 'active' });
  expect(await helve.plane.connection(helve.admin, 'mail')).toMatchObject({ status: 'active' });
  expect(looked).toHaveLength(2);
});

test('R-composio-client: an account that the person refused does not work, with the provider’s reason', async () => {
  await open();
  await connect();
  known = { status: 'error', reason: 'The person said no' };
  expect(await finish()).toMatchObject(says('The person said no'));
  expect(await stored()).toMatchObject({ status: 'error', reason: 'The person said no' });
});

test('R-composio-client: a new sign-in replaces the account only when it has succeeded', async () => {
  await open();
  await connect();
  await finish();
  await connect();
  known = { status: 'error', reason: 'The person said no' };
  expect(await finish()).toMatchObject(says('The person said no'));
  expect(await stored()).toMatchObject({ status: 'active', settings: { account: 'account 1' } });
  known = { status: 'active' };
  expect(await finish()).toMatchObject({ ok: true });
  expect(await stored()).toMatchObject({ status: 'active', settings: { account: 'account 2' } });
  expect(ended).toEqual([{ account: 'account 1' }]);
});

test('attack: an older sign-in that is finished later does not replace the account of a newer one', async () => {
  await open();
  await connect();
  await finish();
  await connect();
  await connect();
  const [older, newer] = callbacks.slice(1).map(({ searchParams }) => searchParams);
  helve.advance(1_000);
  expect(await helve.plane.finishHostedSignIn(newer!)).toMatchObject({ ok: true });
  expect(await helve.plane.finishHostedSignIn(older!)).toMatchObject(says('was connected since'));
  expect(await stored()).toMatchObject({ status: 'active', settings: { account: 'account 3' } });
  expect(ended).toEqual([{ account: 'account 1' }]);
});

test.each([
  ['somebody looks at the connection', () => helve.plane.connection(helve.admin, 'mail')],
  ['its browser comes back', () => finish()],
])('R-composio-client: an account that another sign-in replaces while %s is not taken back', async (_, ask) => {
  await open();
  await connect();
  whileAsked = async () => {
    whileAsked = async () => undefined;
    await connect();
  };
  expect(await ask()).not.toMatchObject({ ok: true });
  expect(await stored()).toMatchObject({ status: 'pending', settings: { account: 'account 2' } });
  expect(await finish()).toMatchObject({ ok: true });
  expect(await stored()).toMatchObject({ status: 'active', settings: { account: 'account 2' } });
  expect(ended).toEqual([{ account: 'account 1' }]);
});

test('R-visibility: a connection that was disconnected stays so, whatever the provider says later', async () => {
  await open();
  await connect();
  await helve.plane.disconnect(helve.admin, 'mail');
  known = { status: 'error' };
  expect(await finish()).toMatchObject(says('This sign-in has ended'));
  expect(await helve.plane.connection(helve.admin, 'mail')).toMatchObject({ status: 'revoked' });
});

test.each([
  ['disconnected', 'revoked'],
  ['removed', undefined],
])('R-visibility: a connection that is %s while the provider is asked stays so', async (how, status) => {
  await open();
  await connect();
  const { disconnect, removeConnection } = helve.plane;
  whileAsked = () => (how === 'removed' ? removeConnection : disconnect)(helve.admin, 'mail');
  expect(await finish()).toMatchObject(says('disconnected meanwhile'));
  expect((await stored())?.status).toBe(status);
  expect(await types()).not.toContain('connection.connected');
});

test.each([
  'disconnect',
  'removeConnection',
] as const)('attack: %s while the provider makes an account leaves none there', async (act) => {
  await open();
  asksPerson = false;
  await connect();
  whileMade = () => helve.plane[act](helve.admin, 'mail');
  await expect(connect()).rejects.toMatchObject({ code: 'conflict' });
  expect(ended).toEqual([{ account: 'account 1' }, { account: 'account 2' }]);
});

test('attack: of an account that is disconnected while a new sign-in is finished, the new one does not stay at the provider', async () => {
  await open();
  await connect();
  await finish();
  await connect();
  whileAsked = () => helve.plane.disconnect(helve.admin, 'mail');
  expect(await finish()).toMatchObject(says('disconnected meanwhile'));
  expect(endedAccounts()).toEqual(['account 1', 'account 2']);
});

test.each([
  'disconnect',
  'removeConnection',
] as const)('attack: %s ends the accounts of new sign-ins that are not finished, also at the provider', async (act) => {
  await open();
  await connect();
  await finish();
  await connect();
  await connect();
  await helve.plane[act](helve.admin, 'mail');
  expect(endedAccounts()).toEqual(['account 1', 'account 2', 'account 3']);
  expect(await finish()).toMatchObject(says('has ended'));
});

test('R-composio-client: a sign-in whose provider is no longer configured says so', async () => {
  await open();
  await connect();
  withdraw();
  expect(await finish()).toMatchObject(says('is no longer configured'));
});

test('R-visibility: disconnecting tells the provider if it has an account, and says how that went', async () => {
  await open();
  const disconnect = async () => (await helve.plane.disconnect(helve.admin, 'mail')).revocation;
  expect([await disconnect(), ended]).toEqual(['nothing', []]);
  await connect();
  expect([await disconnect(), ended]).toEqual(['revoked', [{ account: 'account 1' }]]);
  refusesToEnd = true;
  await connect();
  expect([await disconnect(), (await stored())?.status]).toEqual(['failed', 'revoked']);
});

test('R-composio-client: checking an account now asks its provider, and believes it', async () => {
  await open();
  await connect();
  const check = () => helve.plane.checkConnection(helve.admin, 'mail');
  await expect(check()).rejects.toMatchObject({ code: 'conflict' });
  await finish();
  expect(await check()).toMatchObject({ outcome: 'works', connection: { status: 'active' } });
  known = { status: 'pending' };
  expect(await check()).toMatchObject({ outcome: 'unknown', connection: { status: 'active' } });
  known = { status: 'expired', reason: 'The person withdrew it' };
  whileAsked = () => Promise.reject(new Error('It cannot be reached'));
  expect(await check()).toMatchObject({ outcome: 'unreachable', connection: { status: 'active' } });
  whileAsked = async () => undefined;
  expect(await check()).toMatchObject({ outcome: 'refused', reason: 'The person withdrew it' });
  expect(await stored()).toMatchObject({ status: 'expired', reason: 'The person withdrew it' });
  expect((await types()).filter((type) => type === 'connection.failed')).toHaveLength(1);
});
