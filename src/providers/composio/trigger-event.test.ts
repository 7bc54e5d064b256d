/** Composio's webhook messages: read in each of their shapes, and accepted only with a valid signature. */
import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectClient } from '../../../tests/counterparts/composio/connect.js';
import {
  type Composio,
  eventBody,
  signedHeaders,
  startComposio,
  wholeToolkit,
  wholeTrigger,
} from '../../../tests/counterparts/composio/index.js';
import { type Scripted, sendJson, startScripted } from '../../../tests/counterparts/scripted.js';
import { readTriggerEvent } from './trigger-event.js';

const secret = 'whsec_a1b2c3d4e5f6g7h8i9j0';
const slug = 'GOOGLE_MAPS_MOVED';
const row = { id: 'ti_1', slug, accountId: 'ca_1', userId: 'helve-w1', config: {}, disabled: false };
const now = new Date('2026-01-02T03:04:10.000Z');
const seconds = now.getTime() / 1_000;
const sentAt = '2026-01-02T03:04:05.000Z';
const payload = { place: { lat: 1, lon: 2 }, ids: [1, 'a', null] };
const knownApps = () => new Set(['google_maps', 'google']);

const bodyOf = (version: 'V1' | 'V2' | 'V3') => JSON.stringify(eventBody(row, version, payload, sentAt));
const read = (body: string, headers = signedHeaders(secret, 'msg_1', seconds, body), more = {}) =>
  readTriggerEvent(body, headers, secret, { now, knownApps, ...more });

describe('R-composio-client: events of triggers', () => {
  test.each(['V1', 'V2', 'V3'] as const)('R-composio-client: %s is read', async (version) => {
    const body = bodyOf(version);
    const event = await read(body);
    expect(event).toEqual({
      id: 'msg_1',
      trigger: slug,
      app: 'google_maps',
      subscription: 'ti_1',
      account: 'ca_1',
      payload,
      // The oldest shape has no time of its own, so that of the message counts.
      at: version === 'V1' ? now.toISOString() : sentAt,
    });
    expect(
      await readTriggerEvent(Buffer.from(body), new Headers(signedHeaders(secret, 'm', seconds, body)), secret, {
        now,
      }),
    ).toMatchObject({ app: 'google' });
  });

  test('R-composio-client: an id with more digits than a number holds is text', async () => {
    const body = bodyOf('V3').replace('"lat":1', '"lat":9007199254740993');
    expect(await read(body, signedHeaders(secret, 'msg_1', seconds, body))).toMatchObject({
      payload: { place: { lat: '9007199254740993', lon: 2 } },
    });
  });

  test.each([
    ['unsigned', () => ({})],
    [
      'signed with another secret',
      (body: string) => signedHeaders('whsec_another-secret-of-some-length', 'msg_1', seconds, body),
    ],
    ['changed', (body: string) => signedHeaders(secret, 'msg_1', seconds, `${body} `)],
    ['too old', (body: string) => signedHeaders(secret, 'msg_1', seconds - 301, body)],
    ['from the future', (body: string) => signedHeaders(secret, 'msg_1', seconds + 301, body)],
    [
      'with another id',
      (body: string) => ({ ...signedHeaders(secret, 'msg_1', seconds, body), 'webhook-id': 'msg_2' }),
    ],
  ])('R-composio-client: one that is %s is refused', async (_, headers) => {
    const body = bodyOf('V3');
    await expect(read(body, headers(body) as Record<string, string>)).rejects.toMatchObject({
      code: 'unauthenticated',
    });
  });

  test('R-composio-client: the bytes count: a mark of their order is no part of the text, and no text is not replaced', async () => {
    const sent = async (bytes: Buffer) => {
      const signed = createHmac('sha256', secret).update(`msg_1.${seconds}.`).update(bytes).digest('base64');
      const headers = { ...signedHeaders(secret, 'msg_1', seconds, ''), 'webhook-signature': `v1,${signed}` };
      return readTriggerEvent(bytes, headers, secret, { now, knownApps });
    };
    const body = bodyOf('V3');
    expect(await sent(Buffer.from(`\ufeff${body}`))).toMatchObject({ trigger: slug, payload });
    const broken = Buffer.concat([
      Buffer.from(body.slice(0, -1)),
      Buffer.from(',"x":"'),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ]);
    await expect(sent(broken)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('R-composio-client: the same message again is refused', async () => {
    const ids = new Set<string>();
    const seen = { claim: (id: string) => !ids.has(id) && !!ids.add(id) };
    const body = bodyOf('V3');
    const headers = signedHeaders(secret, 'msg_1', seconds, body);
    await read(body, headers, { seen });
    await expect(read(body, headers, { seen })).rejects.toMatchObject({ code: 'unauthenticated' });
    await read(body, signedHeaders(secret, 'msg_2', seconds, body), { seen });
  });

  test('R-composio-client: a secret in base64 is accepted in both forms; a short one is refused', async () => {
    const key = Buffer.alloc(32, 7);
    const standard = `whsec_${key.toString('base64')}`;
    const body = bodyOf('V3');
    const signature = createHmac('sha256', key).update(`msg_1.${seconds}.${body}`).digest('base64');
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(seconds),
      'webhook-signature': `v1,${signature}`,
    };
    expect(await readTriggerEvent(body, headers, standard, { now })).toMatchObject({ id: 'msg_1' });
    expect(await readTriggerEvent(body, signedHeaders(standard, 'm', seconds, body), standard, { now })).toMatchObject({
      id: 'm',
    });
    const short = readTriggerEvent(body, signedHeaders('short', 'm', seconds, body), 'short', { now });
    await expect(short).rejects.toMatchObject({ code: 'invalid_config' });
  });

  test.each([
    ['{"type":"composio.connected_account.expired","data":{"id":"ca_1"}}'],
    ['[]'],
    ['no json'],
    ['{"trigger_name":5,"trigger_id":"ti"}'],
  ])('R-composio-client: %s is signed and no event', async (body) => {
    await expect(read(body)).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('R-composio-client: subscriptions', () => {
  let composio: Composio;
  let scripted: Scripted;
  beforeEach(async () => {
    const maps = wholeToolkit({ slug: 'google_maps', composio_managed_auth_schemes: ['OAUTH2'] });
    const config = { type: 'object', properties: { area: {} }, required: ['area'] };
    composio = await startComposio({ toolkits: [maps], tools: [], triggers: [wholeTrigger({ slug, config }, maps)] });
    scripted = await startScripted();
  });
  afterEach(async () => {
    await composio.close();
    await scripted.close();
  });

  test('R-composio-client: created once and deleted; its events are read', async () => {
    const client = connectClient({ url: composio.url });
    const auth = await client.resolveAuthConfig({ toolkit: 'google_maps', owner: 'u' });
    const account = await client.linkAccount({ authConfigId: auth!.id, userId: 'u', callbackUrl: 'http://127.0.0.1/' });
    const wanted = { trigger: slug, connectedAccountId: account.id, config: { area: 'x' } };
    const { id } = await client.subscribe(wanted);
    expect(await client.subscribe(wanted)).toEqual({ id });
    expect([...composio.triggers.values()]).toMatchObject([{ id, slug, accountId: account.id, config: { area: 'x' } }]);
    let event: unknown;
    scripted.answer = async ({ body, headers }, response) => {
      event = await readTriggerEvent(body, headers, secret, { knownApps });
      sendJson(response, 200, {});
    };
    expect((await composio.fire(id, { url: scripted.url, secret, payload })).status).toBe(200);
    expect(event).toMatchObject({ trigger: slug, subscription: id, account: account.id, payload });
    await client.unsubscribe(id);
    await client.unsubscribe(id);
    expect(composio.triggers.size).toBe(0);
  });

  test('R-composio-client: a trigger that does not exist, and an incomplete configuration', async () => {
    const client = connectClient({ url: composio.url });
    const none = client.subscribe({ trigger: 'NONE', connectedAccountId: 'ca_1', config: {} });
    await expect(none).rejects.toMatchObject({ code: 'not_found' });
    const lost = client.subscribe({ trigger: slug, connectedAccountId: 'ca_1', config: {} });
    await expect(lost).rejects.toMatchObject({ code: 'connection_inaccessible' });
    const auth = await client.resolveAuthConfig({ toolkit: 'google_maps', owner: 'u' });
    const account = await client.linkAccount({ authConfigId: auth!.id, userId: 'u', callbackUrl: 'http://127.0.0.1/' });
    const lacking = client.subscribe({ trigger: slug, connectedAccountId: account.id, config: {} });
    await expect(lacking).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringContaining('area') });
  });
});
