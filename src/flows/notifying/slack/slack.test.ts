/** People are told in Slack: what Slack is sent passes prism, which checks it against Slack's own description. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Counterpart } from '../../../../tests/counterparts/child.js';
import { passOnTo, type Scripted, startScripted } from '../../../../tests/counterparts/scripted.js';
import type { Principal } from '../../../domain/principal.js';
import { createTestHelve, type TestHelve, testTool } from '../../../testing/index.js';
import { botToken } from '../../../toolkits/slack/testing/connected.js';
import { documentMissing } from '../../../toolkits/slack/testing/document.js';
import { startPrism } from '../../../toolkits/slack/testing/prism.js';
import { slack } from '../../../toolkits/slack/toolkit.js';

const gatherMs = 60_000;
const canary = 'quetzal-4711';
const member = 'U0ADA1234';

describe.skipIf(documentMissing !== undefined)('in Slack', () => {
  let prism: Counterpart;
  let server: Scripted;
  let helve: TestHelve;
  let channelId: string;
  // It keeps nothing between two requests.
  beforeAll(async () => {
    prism = await startPrism();
  });
  afterAll(() => prism?.close());
  beforeEach(async () => {
    server = await startScripted();
    server.answer = passOnTo(() => prism.url);
    helve = await createTestHelve({
      publicUrl: 'https://helve.example',
      nativeToolkits: [slack],
      tools: [testTool({ name: 'guarded', highRisk: true })],
      granted: ['guarded'],
      config: `toolkits:\n  slack:\n    base_url: ${server.url}\n    files_base_url: ${server.url}\n`,
      connections: [{ toolkit: 'slack', name: 'Team', scheme: 'bot_token', credentials: { token: botToken } }],
    });
    const { channel } = await helve.plane.createNotificationChannel(helve.admin, {
      kind: 'slack',
      name: 'Slack',
      connection: 'team',
    });
    channelId = channel.id;
  });
  afterEach(async () => {
    await helve?.close();
    await server?.close();
  });

  async function signIn(name: string): Promise<Principal> {
    const { link } = await helve.plane.createUser(helve.admin, { name, role: 'admin' });
    return (await helve.plane.redeemAdminLink(link.slice(link.indexOf('token=') + 'token='.length))).principal;
  }

  /** What was sent to be shown in Slack, as its text. */
  const posts = () =>
    server.seen
      .filter(({ url }) => url.startsWith('/chat.postMessage'))
      .map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
  const lastCode = () => /\d{4} \d{4}/.exec(posts().at(-1)?.text ?? '')?.[0] ?? '';
  const choose = (person: Principal, slackMember?: string) =>
    helve.plane.chooseNotifications(person, channelId, {
      kinds: ['approval'],
      ...(slackMember === undefined ? {} : { slackMember }),
    });
  const confirm = (person: Principal, code: string) => helve.plane.confirmNotifications(person, channelId, code);

  async function askAndTell(): Promise<void> {
    await helve.call('guarded', { secret: canary });
    await helve.notify();
    helve.advance(gatherMs);
    await helve.notify();
  }

  test('R-operate: a person who entered the code is told in Slack, once, in plain text, with the link and no argument', async () => {
    const ada = await signIn('Ada');
    expect(await choose(ada, member)).toMatchObject({ confirmed: false });
    expect(await confirm(ada, lastCode())).toMatchObject({ confirmed: true, address: member });
    server.seen.length = 0;
    await askAndTell();
    await helve.notify();
    expect(posts()).toHaveLength(1);
    const [{ text = '', blocks = '' } = {}] = posts();
    expect(text).toBe('Helve: 1 call waits for a decision');
    const [approval] = await helve.plane.approvals(helve.admin, { status: 'pending' });
    expect(blocks).toContain(`https://helve.example/approvals/${approval?.id}`);
    expect(blocks).toContain('"type":"plain_text"');
    expect(blocks).not.toContain('mrkdwn');
    expect(JSON.stringify(server.seen)).not.toContain(canary);
    expect((await helve.plane.notificationMessages(ada))[0]).toMatchObject({ state: 'sent' });
  });

  test('R-operate: attack: a member of Slack that nobody has confirmed is told nothing', async () => {
    const eve = await signIn('Eve');
    await choose(eve, member);
    server.seen.length = 0;
    await askAndTell();
    expect(posts()).toEqual([]);
  });

  test('R-operate: attack: a code is of no use to another person, nor after five wrong ones, nor after ten minutes', async () => {
    const [ada, eve] = [await signIn('Ada'), await signIn('Eve')];
    await choose(ada, member);
    const code = lastCode();
    await expect(confirm(eve, code)).rejects.toMatchObject({ code: 'not_found' });
    helve.advance(61_000);
    await choose(eve, member);
    await expect(confirm(eve, code)).rejects.toMatchObject({ code: 'invalid_input' });

    for (let wrong = 0; wrong < 5; wrong++)
      await expect(confirm(ada, '0000 0000')).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(confirm(ada, code)).rejects.toMatchObject({ code: 'expired' });

    helve.advance(61_000);
    await choose(ada, member);
    const second = lastCode();
    helve.advance(10 * 60_000);
    await expect(confirm(ada, second)).rejects.toMatchObject({ code: 'expired' });

    await choose(ada, member);
    expect(await confirm(ada, lastCode())).toMatchObject({ confirmed: true });
    await expect(choose(eve, member)).rejects.toMatchObject({ code: 'conflict' });
  });
});
