/** R-composio-client: events that Composio sends: signed, fresh, once, and only to subscribers. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allPermissions } from '../../src/domain/principal.js';
import { createHelve } from '../../src/helve.js';
import type { TestHelve } from '../../src/testing/index.js';
import type { WebhookToSend } from '../counterparts/composio/index.js';
import { ask } from '../e2e/support/requests.js';
import { openScene, type Scene, webhookSecret } from './door.js';
import { composioConfig } from './support.js';

let scene: Scene;
let mail: { id: string; slug: string };
let subscription: { id: string; externalId: string };
beforeAll(async () => {
  scene = await openScene();
  mail = await scene.connected('gmail', 'Work Mail');
});
afterAll(() => scene.close());

const trigger = 'GMAIL_NEW_GMAIL_MESSAGE';
const config = { label: 'INBOX' };

const fire = (more: Partial<WebhookToSend> = {}) =>
  scene.composio.fire(subscription.externalId, {
    url: `${scene.url}/api/composio/webhook`,
    secret: webhookSecret,
    payload: { subject: 'Hello' },
    ...more,
  });
const fireOf = (of: { externalId: string }, more: Partial<WebhookToSend>) =>
  scene.composio.fire(of.externalId, {
    url: `${scene.url}/api/composio/webhook`,
    secret: webhookSecret,
    payload: {},
    ...more,
  });
const events = async () => (await scene.home.rest('GET /api/triggers/events')).body.events;

describe('triggers', () => {
  test('R-composio-client: the events of an app are listed; a subscription needs a working account and the trigger’s settings', async () => {
    const { home, composio } = scene;
    const listed = await home.rest('GET /api/tools/gmail/triggers');
    expect(listed.body.triggers).toEqual([expect.objectContaining({ slug: trigger, app: 'gmail' })]);
    const wrong = [
      [{ trigger, connection: mail.slug }, 400, /label/],
      [{ trigger, connection: mail.slug, config: { label: 5 } }, 400, /label/],
      [{ trigger: 'GMAIL_NEW_GMAIL_MESAGE', connection: mail.slug, config }, 404, /GMAIL_NEW_GMAIL_MESSAGE/],
      [{ trigger, connection: 'nobody', config }, 404, /nobody/],
    ] as const;
    for (const [body, status, words] of wrong) {
      const refused = await home.rest('POST /api/triggers', body);
      expect([body, refused.status, refused.text]).toEqual([body, status, expect.stringMatching(words)]);
    }
    expect(composio.triggers.size).toBe(0);
    const made = await home.rest('POST /api/triggers', { trigger, connection: mail.slug, config });
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({ trigger, connectionId: mail.id, config }),
    ]);
    subscription = made.body;
    expect([...composio.triggers.values()]).toMatchObject([{ slug: trigger, config, disabled: false }]);
    expect((await home.rest('GET /api/triggers')).body.subscriptions).toEqual([made.body]);
  });

  test('R-composio-client: a signed event of each version is received and listed', async () => {
    for (const version of ['V1', 'V2', 'V3'] as const) {
      const answer = await fire({ version, payload: { subject: `In ${version}` } });
      expect([version, answer.status, await answer.json()]).toEqual([version, 200, { received: true }]);
    }
    expect(
      (await events()).map(({ payload, ...event }: any) => [payload, event.trigger, event.app, event.subscriptionId]),
    ).toEqual(
      ['V3', 'V2', 'V1'].map((version) => [
        expect.objectContaining({ subject: `In ${version}` }),
        trigger,
        'gmail',
        subscription.id,
      ]),
    );
  });

  test('R-composio-client: who subscribes to the same again gets the same subscription, also at the same moment', async () => {
    const { home } = scene;
    const twice = (wanted: object) =>
      Promise.all(
        [1, 2].map(
          async () => (await home.rest('POST /api/triggers', { trigger, connection: mail.slug, ...wanted })).body,
        ),
      );
    expect((await twice({ config })).map(({ id }) => id)).toEqual([subscription.id, subscription.id]);
    const [one, other] = await twice({ config: { label: 'SENT' } });
    expect(one).toEqual(other);
    expect((await home.rest('GET /api/triggers')).body.subscriptions).toEqual([subscription, one]);
    expect((await home.rest(`DELETE /api/triggers/${one.id}`)).status).toBe(204);
    expect((await home.rest('GET /api/triggers')).body.subscriptions).toEqual([subscription]);
  });

  test('R-composio-client: two processes that subscribe to the same at the same moment keep one subscription', async () => {
    const { home, helve, composio } = scene;
    const wanted = { trigger, connection: mail.slug, config: { label: 'TWO' } };
    const storage = helve.storage as { workspace: TestHelve['storage']['workspace'] };
    const { workspace } = storage;
    const other = await createHelve({
      storage: { ...helve.storage, workspace, close: async () => undefined },
      config: composioConfig(composio),
    });
    let second: { readonly id: string } | undefined;
    storage.workspace = (id) => {
      const found = workspace(id);
      const list = async () => {
        storage.workspace = workspace;
        const before = await found.triggers.list();
        second = await other.plane.subscribe(home.admin, wanted);
        return before;
      };
      return { ...found, triggers: { ...found.triggers, list } };
    };
    const first = await helve.plane.subscribe(home.admin, wanted);
    await other.close();
    expect(second).toEqual(first);
    expect((await home.rest('GET /api/triggers')).body.subscriptions).toEqual([subscription, first]);
    await helve.plane.unsubscribe(home.admin, first.id);
  });

  test('attack: who subscribes to what somebody else ends at the same moment is not told of a dead subscription', async () => {
    const { home, helve, composio } = scene;
    const again = { trigger, connection: mail.slug, config: { label: 'DRAFT' } };
    const first = await helve.plane.subscribe(home.admin, again);
    let ending: Promise<unknown> = Promise.resolve();
    const storage = helve.storage as { workspace: TestHelve['storage']['workspace'] };
    const { workspace } = storage;
    storage.workspace = (id) => {
      const found = workspace(id);
      // Composio has just answered with the subscription that there is.
      const list = async () => {
        storage.workspace = workspace;
        ending = helve.plane.unsubscribe(home.admin, first.id);
        // Enough requests for the other one to finish, if it does not wait.
        const others = Array.from({ length: 20 }, () => home.rest('GET /api/connections'));
        await Promise.race([ending, Promise.all(others)]);
        return found.triggers.list();
      };
      return { ...found, triggers: { ...found.triggers, list } };
    };
    const second = await helve.plane.subscribe(home.admin, again);
    // Whoever is told of a subscription has one until it is ended.
    const wasAlive = composio.triggers.has(second.externalId);
    await ending;
    expect([second.id, wasAlive]).toEqual([first.id, true]);
    expect((await home.rest('GET /api/triggers')).body.subscriptions).toEqual([subscription]);
  });

  test('R-composio-client: unsigned, changed, stale, early or otherwise signed messages are refused', async () => {
    const before = (await events()).length;
    const now = Math.floor(Date.now() / 1_000);
    const wrong: Partial<WebhookToSend>[] = [
      { unsigned: true },
      { tamper: (body) => body.replace('Hello', 'Goodbye') },
      { tamper: (body) => `\ufeff${body}` },
      { timestamp: now - 3_600 },
      { timestamp: now + 3_600 },
      { secret: 'another-secret-0123456789abcdef-0' },
    ];
    for (const more of wrong) {
      const answer = await fire(more);
      expect([Object.keys(more), answer.status]).toEqual([Object.keys(more), 401]);
    }
    expect((await events()).length).toBe(before);
  });

  test('R-composio-client: the same message twice, also in parallel, is received once', async () => {
    const before = (await events()).length;
    const same = { id: 'msg_the_same', timestamp: Math.floor(Date.now() / 1_000) };
    const said = await Promise.all(Array.from({ length: 6 }, async () => (await fire(same)).json()));
    expect(said.filter(({ received }: any) => received)).toHaveLength(1);
    expect((await events()).length).toBe(before + 1);
  });

  test('R-composio-client: received events come in pages that miss and repeat none, also those of the same moment', async () => {
    const { home, helve } = scene;
    const { triggers } = helve.storage.workspace(home.admin.workspaceId);
    const receivedAt = '2020-01-01T00:00:00.000Z';
    const old = { connectionId: mail.id, trigger, app: 'gmail', at: receivedAt, payload: {}, receivedAt };
    for (const subscriptionId of [subscription.id, 'another'])
      for (const id of ['msg/1', 'msg/2', 'msg/3'])
        await triggers.receive({ ...old, subscriptionId, id }, '2999-01-01T00:00:00.000Z');
    const key = ({ subscriptionId, id }: any) => `${subscriptionId} ${id}`;
    const whole = (await home.rest('GET /api/triggers/events?limit=500')).body;
    expect(whole).not.toHaveProperty('next');
    const seen: string[] = [];
    for (let before = ''; ; ) {
      const { body } = await home.rest(`GET /api/triggers/events?limit=2${before}`);
      seen.push(...body.events.map(key));
      if (body.next === undefined) break;
      expect(body.events).toHaveLength(2);
      before = `&before=${encodeURIComponent(body.next)}`;
    }
    expect(seen).toEqual(whole.events.map(key));
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.slice(-6).filter((one) => one.startsWith('another'))).toHaveLength(3);
    expect((await home.rest('GET /api/triggers/events?before=nothing')).body).toMatchObject({ code: 'invalid_input' });
  });

  test('leak: only the owner of a private account sees its subscriptions and events, or ends them', async () => {
    const { home, helve, url, composio } = scene;
    const { secret } = await helve.plane.createApiKey(home.admin, { name: 'other', permissions: allPermissions });
    const other = (route: string, body?: unknown) => ask(url, route, secret, body);
    const { id, slug } = await scene.connected('gmail', 'Private Mail');
    const theirs = (await home.rest('POST /api/triggers', { trigger, connection: slug, config })).body;
    await fireOf(theirs, { payload: { subject: 'canary-of-the-owner' } });
    // While the account is shared, the other sees all of it: this proves that the following checks can fail.
    expect((await other('GET /api/triggers')).text).toContain(theirs.id);
    expect((await other('GET /api/triggers/events')).text).toContain('canary-of-the-owner');
    expect((await home.rest(`PUT /api/connections/${id}`, { visibility: 'private' })).status).toBe(200);
    expect((await other('GET /api/triggers')).text).not.toContain(theirs.id);
    for (const query of ['', `?subscription=${theirs.id}`, '?limit=1'])
      expect((await other(`GET /api/triggers/events${query}`)).text).not.toContain('canary-of-the-owner');
    const none = await other('DELETE /api/triggers/no-such-subscription');
    const refused = await other(`DELETE /api/triggers/${theirs.id}`);
    expect([refused.status, refused.body.detail.replace(theirs.id, 'no-such-subscription')]).toEqual([
      404,
      none.body.detail,
    ]);
    expect(composio.triggers.has(theirs.externalId)).toBe(true);
    expect((await home.rest('GET /api/triggers')).text).toContain(theirs.id);
    expect((await home.rest(`DELETE /api/triggers/${theirs.id}`)).status).toBe(204);
    // Received events stay, for their owner.
    expect((await home.rest('GET /api/triggers/events')).text).toContain('canary-of-the-owner');
    expect((await other('GET /api/triggers/events')).text).not.toContain('canary-of-the-owner');
    expect((await home.rest(`PUT /api/connections/${id}`, { visibility: 'workspace' })).status).toBe(200);
  });

  test('R-visibility: another workspace sees neither subscription nor event, and cannot end it', async () => {
    const { elsewhere } = scene;
    expect((await elsewhere.rest('GET /api/triggers')).body.subscriptions).toEqual([]);
    expect((await elsewhere.rest('GET /api/triggers/events')).body.events).toEqual([]);
    expect((await elsewhere.rest(`GET /api/triggers/events?subscription=${subscription.id}`)).body.events).toEqual([]);
    expect((await elsewhere.rest(`DELETE /api/triggers/${subscription.id}`)).status).toBe(404);
    const theirs = await elsewhere.rest('POST /api/triggers', { trigger, connection: mail.id, config });
    expect(theirs.status).toBe(404);
    expect((await scene.home.rest('GET /api/triggers')).body.subscriptions).toHaveLength(1);
  });

  test('attack: an account that is disconnected while somebody subscribes keeps no subscription', async () => {
    const { helve, home, composio } = scene;
    const { id, slug } = await scene.connected('gmail', 'Short Mail');
    const storage = helve.storage as { workspace: TestHelve['storage']['workspace'] };
    const { workspace } = storage;
    const before = composio.triggers.size;
    storage.workspace = (workspaceId) => {
      const found = workspace(workspaceId);
      const insert: typeof found.triggers.insert = async (row) => {
        storage.workspace = workspace;
        await helve.plane.disconnect(home.admin, id);
        return found.triggers.insert(row);
      };
      return { ...found, triggers: { ...found.triggers, insert } };
    };
    const made = await home.rest('POST /api/triggers', { trigger, connection: slug, config });
    expect([made.status, made.body.detail]).toEqual([409, expect.stringMatching(/disconnected/)]);
    const { subscriptions } = (await home.rest('GET /api/triggers')).body;
    expect(subscriptions.filter(({ connectionId }: any) => connectionId === id)).toEqual([]);
    expect(composio.triggers.size).toBe(before);
  });

  test('R-composio-client: unsubscribed: deleted at Composio, later events are refused, and received ones stay', async () => {
    const { home, composio } = scene;
    const before = (await events()).length;
    const row = composio.triggers.get(subscription.externalId);
    expect((await home.rest(`DELETE /api/triggers/${subscription.id}`)).status).toBe(204);
    expect(composio.triggers.size).toBe(0);
    (composio.triggers as Map<string, unknown>).set(subscription.externalId, row);
    expect((await fire()).status).toBe(404);
    expect((await events()).length).toBe(before);
    expect((await home.rest(`DELETE /api/triggers/${subscription.id}`)).status).toBe(404);
  });

  test('R-composio-client: replacing an account removes its subscriptions', async () => {
    const { home } = scene;
    const before = await scene.connected('gmail', 'Other Mail');
    await home.rest('POST /api/triggers', { trigger, connection: before.slug, config });
    const begun = await home.rest('POST /api/tools/connect', { toolkit: 'gmail', connection: before.id });
    expect((await home.rest('GET /api/triggers')).body.subscriptions).toHaveLength(1);
    expect((await scene.goTo(begun.body.redirectUrl)).status).toBe(200);
    expect((await home.rest('GET /api/triggers')).body.subscriptions).toEqual([]);
  });

  test('R-visibility: disconnecting an account removes its subscriptions', async () => {
    const { home, composio } = scene;
    (composio.triggers as Map<string, unknown>).clear();
    const made = await home.rest('POST /api/triggers', { trigger, connection: mail.slug, config });
    expect(made.status).toBe(201);
    await home.rest('POST /api/tools/disconnect', { connection: mail.slug });
    expect(composio.triggers.size).toBe(0);
    expect((await home.rest('GET /api/triggers')).body.subscriptions).toEqual([]);
  });
});
