/** What a person chooses, at moments in which something else happens to it. Slack is a toolkit of the test. */

import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { defineToolkit } from '../../domain/tool.js';
import { beforeNextChange } from '../../testing/before-next-change.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';

let helve: TestHelve;
afterEach(() => helve.close());

async function open() {
  const codes: string[] = [];
  const directMessage = testTool({
    name: 'open_direct_message',
    inputSchema: z.looseObject({}),
    execute: async () => ({ channel: 'D1' }),
  });
  const postMessage = testTool({
    name: 'post_message',
    inputSchema: z.looseObject({ text: z.string() }),
    async execute({ text }) {
      codes.push(/\d{4} \d{4}/.exec(text as string)?.[0] ?? '');
      return { ts: '1' };
    },
  });
  const slack = defineToolkit({
    slug: 'slack',
    title: 'Slack',
    description: 'For tests',
    category: 'tests',
    auth: {
      schemes: [{ id: 'token', kind: 'api_key', title: 'T', fields: [{ name: 'token', title: 'T', secret: true }] }],
    },
    load: async () => [directMessage, postMessage],
  });
  const account = { toolkit: 'slack', name: 'Bot', credentials: { token: 'xoxb-0123456789' } };
  helve = await createTestHelve({ nativeToolkits: [slack], connections: [account] });
  const { plane, admin } = helve;
  const { channel } = await plane.createNotificationChannel(admin, { kind: 'slack', name: 'S', connection: 'bot' });
  const choose = (kinds: readonly 'approval'[], slackMember?: string) =>
    plane.chooseNotifications(admin, channel.id, { kinds, ...(slackMember && { slackMember }) });
  return { codes, choose, confirm: (code: string) => plane.confirmNotifications(admin, channel.id, code) };
}

test('attack: a member of Slack gets one code, however many are asked for at once', async () => {
  const { codes, choose } = await open();
  const asked = await Promise.allSettled(Array.from({ length: 5 }, () => choose(['approval'], 'U0VICTIM')));
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(codes).toHaveLength(1);
  // The control: a minute later there is another one.
  helve.advance(61_000);
  await choose(['approval'], 'U0VICTIM');
  expect(codes).toHaveLength(2);
});

test('attack: a choice that is made while the code is entered neither takes the link back nor begins the count anew', async () => {
  const { codes, choose, confirm } = await open();
  await choose(['approval'], 'U0ADA');
  beforeNextChange(helve, () => confirm(codes[0] ?? ''));
  expect(await choose([])).toMatchObject({ confirmed: true, kinds: [] });
});
