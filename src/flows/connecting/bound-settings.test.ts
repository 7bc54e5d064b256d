/** A call that is bound to an account's former address does not send the credentials of its new one there. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Scripted, sendJson, startScripted } from '../../../tests/counterparts/scripted.js';
import { defineToolkit } from '../../domain/tool.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';

let former: Scripted;
let present: Scripted;
let helve: TestHelve;
beforeEach(async () => {
  [former, present] = await Promise.all([startScripted(), startScripted()]);
  for (const one of [former, present]) one.answer = (_, response) => sendJson(response, 200, {});
});
afterEach(() => Promise.all([helve.close(), former.close(), present.close()]));

test('attack: an account that moves to another address during a call sends nothing of its new key to the former one', async () => {
  let move = async (): Promise<void> => undefined;
  const vendor = defineToolkit({
    slug: 'vendor',
    title: 'Vendor',
    description: 'A service for tests',
    category: 'tests',
    auth: {
      schemes: [
        {
          id: 'key',
          kind: 'api_key',
          title: 'Key',
          fields: [
            { name: 'address', title: 'Address', secret: false },
            { name: 'key', title: 'Key', secret: true },
          ],
          placement: [{ in: 'header', name: 'x-key', value: '{key}' }],
        },
      ],
    },
    service: { servers: (_, { address }) => ({ default: { url: String(address), named: true } }) },
    load: async () => [
      testTool({
        name: 'ask',
        async execute(_, { service }) {
          await service.json({ path: '/before' });
          await move();
          return service.json({ path: '/after' });
        },
      }),
    ],
  });
  helve = await createTestHelve({
    toolkits: [vendor],
    connections: [{ toolkit: 'vendor', name: 'Work', credentials: { address: former.url, key: 'canary-former' } }],
  });
  move = async () => {
    const credentials = { address: present.url, key: 'canary-present' };
    await helve.plane.connect(helve.admin, 'work', { credentials, check: false });
  };
  expect(await helve.call('work__ask')).toMatchObject({ ok: false, error: { code: 'upstream_failed' } });
  expect(former.seen.map(({ headers }) => headers['x-key'])).toEqual(['canary-former']);
  move = async () => undefined;
  expect(await helve.call('work__ask')).toMatchObject({ ok: true });
  expect(present.seen.map(({ headers }) => headers['x-key'])).toEqual(['canary-present', 'canary-present']);
});
