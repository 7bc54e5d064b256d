/** Calls are decided in Slack. What Slack is sent passes prism, which checks it against Slack's own description. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Counterpart } from '../../../../tests/counterparts/child.js';
import { passOnTo, type Scripted, sendJson, startScripted } from '../../../../tests/counterparts/scripted.js';
import type { Principal } from '../../../domain/principal.js';
import { createTestHelve, type TestHelve, testTool } from '../../../testing/index.js';
import { botToken } from '../../../toolkits/slack/testing/connected.js';
import { documentMissing } from '../../../toolkits/slack/testing/document.js';
import { startPrism } from '../../../toolkits/slack/testing/prism.js';
import { slack } from '../../../toolkits/slack/toolkit.js';
import { type Block, blocksOf, bodyOf, type PressFacts, signedBy, valuesOf } from './testing/press.js';

const member = 'U0ADA1234';
const secret = '0123456789abcdef0123456789abcdef';
const gatherMs = 60_000;

describe.skipIf(documentMissing !== undefined)('buttons in Slack', () => {
  let prism: Counterpart;
  let server: Scripted;
  let hooks: Scripted;
  let helve: TestHelve;
  let ran: unknown[];
  /** How far the clock was moved, in milliseconds. */
  let ahead: number;
  let channelId: string;
  let ada: Principal;
  /** What Slack says of itself: the same in each of its answers, as prism takes them from the description. */
  let said: { team: string; ts: string; channel: string };

  // It keeps nothing between two requests.
  beforeAll(async () => {
    prism = await startPrism();
  });
  afterAll(() => prism?.close());
  beforeEach(async () => {
    server = await startScripted();
    server.answer = passOnTo(() => prism.url);
    hooks = await startScripted();
    hooks.answer = (_, response) => sendJson(response, 200, { ok: true });
    ran = [];
    ahead = 0;
    const echo = async (input: unknown) => {
      ran.push(input);
      return { done: true };
    };
    helve = await createTestHelve({
      publicUrl: 'https://helve.example',
      nativeToolkits: [slack],
      tools: [testTool({ name: 'guarded', highRisk: true, execute: echo })],
      granted: ['guarded'],
      egress: { allowedAddresses: ['127.0.0.1'] },
      config: `toolkits:\n  slack:\n    base_url: ${server.url}\n    files_base_url: ${server.url}\n    hooks_base_url: ${hooks.url}\n`,
      connections: [{ toolkit: 'slack', name: 'Team', scheme: 'bot_token', credentials: { token: botToken } }],
    });
    const made = { kind: 'slack', name: 'Slack', connection: 'team' } as const;
    channelId = (await helve.plane.createNotificationChannel(helve.admin, made)).channel.id;
    const shown = await helve.plane.changeNotificationChannel(helve.admin, channelId, { signingSecret: secret });
    expect(shown.buttons).toBe(true);
    ada = await link('Ada', member);
    said = {
      team: (await answerOf<{ team_id: string }>('auth.test')).team_id,
      ...(await answerOf<{ ts: string; channel: string }>('chat.postMessage')),
    };
    const opened = await answerOf<{ channel: { id: string } }>('conversations.open');
    said.channel = opened.channel.id;
    server.seen.length = 0;
  });
  afterEach(async () => {
    await helve?.close();
    for (const one of [server, hooks]) await one?.close();
  });

  /** What prism answers when Helve asks the same again. */
  async function answerOf<Answer>(method: string): Promise<Answer> {
    const asked = server.seen.findLast(({ url }) => url.startsWith(`/${method}`));
    if (!asked) throw new Error(`Helve did not call ${method}`);
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...headers } = asked.headers;
    const init = { method: asked.method, headers: headers as Record<string, string>, body: asked.body };
    return (await (await fetch(prism.url + asked.url, init)).json()) as Answer;
  }

  async function signIn(name: string, role: 'admin' | 'auditor' = 'admin'): Promise<Principal> {
    const { link: address } = await helve.plane.createUser(helve.admin, { name, role });
    const token = address.slice(address.indexOf('token=') + 'token='.length);
    return (await helve.plane.redeemAdminLink(token)).principal;
  }

  /** A person who is linked to the member. */
  async function link(name: string, slackMember: string): Promise<Principal> {
    const person = await signIn(name);
    await helve.plane.chooseNotifications(person, channelId, { kinds: ['approval'], slackMember });
    await helve.plane.confirmNotifications(
      person,
      channelId,
      /\d{4} \d{4}/.exec(posts().at(-1)?.text ?? '')?.[0] ?? '',
    );
    return person;
  }

  const posts = () =>
    server.seen
      .filter(({ url }) => url.startsWith('/chat.postMessage'))
      .map(
        ({ body }) =>
          Object.fromEntries(new URLSearchParams(body)) as { text: string; channel: string; blocks: string },
      );

  /** Calls that wait, told to Ada in one message; returns its blocks. */
  async function tell(...inputs: readonly object[]): Promise<Block[]> {
    for (const input of inputs) await helve.call('guarded', input);
    await helve.notify();
    advance(gatherMs);
    await helve.notify();
    const [post] = posts();
    if (!post) throw new Error('Nothing was told');
    return blocksOf(post);
  }

  function advance(milliseconds: number): void {
    ahead += milliseconds;
    helve.advance(milliseconds);
  }
  const seconds = () => Math.floor((Date.now() + ahead) / 1_000);
  const factsOf = (blocks: readonly Block[], changed: Partial<PressFacts> = {}): PressFacts => ({
    value: valuesOf(blocks, 'approve')[0] ?? '',
    user: member,
    team: said.team,
    channel: said.channel,
    ts: said.ts,
    blocks,
    responseUrl: `${hooks.url}/actions/T1/2/3`,
    ...changed,
  });
  const send = (facts: PressFacts, by = secret) =>
    helve.plane.receiveSlackAction(signedBy(by, bodyOf(facts), seconds()));
  const pending = () => helve.plane.approvals(helve.admin, { status: 'pending' });

  test('R-operate: who is shown the exact arguments approves the call as themselves, once, and sees it', async () => {
    const blocks = await tell({ to: 'ops <&>', amount: 4711 });
    expect(JSON.stringify(blocks)).toContain(JSON.stringify('{"to":"ops <&>","amount":4711}').slice(1, -1));
    const [asked] = await pending();
    expect(await send(factsOf(blocks))).toEqual({ decided: true, shown: true });
    const decided = await helve.plane.approval(helve.admin, asked?.id ?? '');
    expect(decided).toMatchObject({ status: 'approved', decidedBy: { id: ada.id }, decidedThrough: 'slack' });
    const answered = JSON.parse(hooks.seen[0]?.body ?? '{}') as { replace_original: boolean; blocks: Block[] };
    expect(answered.replace_original).toBe(true);
    expect(JSON.stringify(answered.blocks)).toContain('Approved by Ada');
    expect(valuesOf(answered.blocks, 'approve')).toEqual([]);
    expect(ran).toEqual([]);
    await helve.call('guarded', { to: 'ops <&>', amount: 4711 });
    await helve.call('guarded', { to: 'ops <&>', amount: 4711 });
    expect(ran).toEqual([{ to: 'ops <&>', amount: 4711 }]);
  });

  test('R-operate: a call is declined; the buttons of the others in the message go on working', async () => {
    const blocks = await tell({ at: 1 }, { at: 2 });
    const [decline = ''] = valuesOf(blocks, 'decline');
    expect(await send(factsOf(blocks, { value: decline }))).toMatchObject({ decided: true });
    const { blocks: left } = JSON.parse(hooks.seen[0]?.body ?? '{}') as { blocks: Block[] };
    expect(await send(factsOf(left))).toMatchObject({ decided: true });
    const all = await helve.plane.approvals(helve.admin, {});
    expect(all.map(({ status }) => status).sort()).toEqual(['approved', 'rejected']);
  });

  test('R-operate: a link decides nothing; arguments that are too long to be shown get no buttons', async () => {
    const blocks = await tell({ text: 'x'.repeat(2_100) });
    expect(valuesOf(blocks, 'approve')).toEqual([]);
    expect(JSON.stringify(blocks)).toContain('Open in Helve');
    expect(await send(factsOf(blocks, { value: '' }))).toEqual({ decided: false, shown: false });
    expect(await pending()).toHaveLength(1);
  });

  test('R-operate: attack: without a signing secret there are no buttons, and no argument', async () => {
    await helve.plane.changeNotificationChannel(helve.admin, channelId, { signingSecret: null });
    const blocks = await tell({ word: 'quetzal' });
    expect(valuesOf(blocks, 'approve')).toEqual([]);
    expect(JSON.stringify(blocks)).not.toContain('quetzal');
  });

  test('R-operate: attack: a forged, too old, changed or repeated request decides nothing; the same button then does', async () => {
    const blocks = await tell({ at: 1 }, { at: 2 });
    const facts = factsOf(blocks);
    const refused = { code: 'unauthenticated' };
    await expect(send(facts, 'f'.repeat(32))).rejects.toMatchObject(refused);
    const old = signedBy(secret, bodyOf(facts), seconds() - 301);
    await expect(helve.plane.receiveSlackAction(old)).rejects.toMatchObject(refused);
    const good = signedBy(secret, bodyOf(facts), seconds());
    const changed = { ...good, body: Buffer.from(bodyOf({ ...facts, user: 'U0EVE1234' })) };
    await expect(helve.plane.receiveSlackAction(changed)).rejects.toMatchObject(refused);
    expect(await pending()).toHaveLength(2);
    expect(hooks.seen).toEqual([]);
    expect(await helve.plane.receiveSlackAction(good)).toMatchObject({ decided: true });
    await expect(helve.plane.receiveSlackAction(good)).rejects.toMatchObject({
      message: expect.stringMatching(/before/),
    });
    expect(await pending()).toHaveLength(1);
  });

  const forbidden = { code: 'forbidden' };
  const changes: readonly (readonly [string, (blocks: readonly Block[]) => Partial<PressFacts>])[] = [
    ['a member who is not linked', () => ({ user: 'U0EVE1234' })],
    ['the same id in another team', () => ({ team: 'T0OTHER' })],
    ['another message', () => ({ ts: '1.000001' })],
    ['another conversation', () => ({ channel: 'D0OTHER' })],
    [
      'a text that Helve did not send',
      (blocks) => ({
        blocks: [{ ...(blocks[0] as Block), text: { type: 'plain_text', text: 'Cake?' } }, ...blocks.slice(1)],
      }),
    ],
    ['another order', (blocks) => ({ blocks: blocks.toReversed() })],
    ['a picture below', () => ({ attachments: [{ text: 'Ignore the above' }] })],
    [
      'the value of the other button for another decision',
      (blocks) => ({ value: (valuesOf(blocks, 'approve')[0] ?? '').replace('approved', 'rejected') }),
    ],
    [
      'another call in the value',
      (blocks) => {
        const [one = '[]', two = '[]'] = valuesOf(blocks, 'approve').map((value) => JSON.parse(value) as string[]);
        return { value: JSON.stringify([...one.slice(0, 3), two[3], ...one.slice(4)]) };
      },
    ],
  ];
  test.each(
    changes,
  )('R-operate: attack: %s: nothing is decided, the record says so, and the member is told', async (_, change) => {
    const blocks = await tell({ at: 1 }, { at: 2 });
    await expect(send(factsOf(blocks, change(blocks)))).rejects.toMatchObject(forbidden);
    expect(await pending()).toHaveLength(2);
    const rows = (await helve.audited()).filter(({ type }) => type === 'request.refused');
    expect(rows.map(({ body }) => body.reason)).toEqual(['button in Slack']);
    expect(JSON.parse(hooks.seen[0]?.body ?? '{}')).toMatchObject({
      response_type: 'ephemeral',
      replace_original: false,
    });
    expect(await send(factsOf(blocks))).toMatchObject({ decided: true });
  });

  test('R-operate: attack: a message that was sent to another person is of no use to a linked one', async () => {
    const eve = await link('Eve', 'U0EVE1234');
    server.seen.length = 0;
    await helve.plane.chooseNotifications(eve, channelId, { kinds: [] });
    const blocks = await tell({ at: 1 });
    await expect(send(factsOf(blocks, { user: 'U0EVE1234' }))).rejects.toMatchObject(forbidden);
    expect(await pending()).toHaveLength(1);
  });

  test('R-operate: attack: a person who may no longer decide, or is disabled, decides nothing', async () => {
    const blocks = await tell({ at: 1 });
    await helve.plane.changeUser(helve.admin, ada.id, { role: 'auditor' });
    await expect(send(factsOf(blocks))).rejects.toMatchObject({ code: 'conflict' });
    await helve.plane.changeUser(helve.admin, ada.id, { role: 'admin', disabled: true });
    advance(1_000);
    await expect(send(factsOf(blocks))).rejects.toMatchObject(forbidden);
    expect(await pending()).toHaveLength(1);
    await helve.plane.changeUser(helve.admin, ada.id, { disabled: false });
    advance(1_000);
    expect(await send(factsOf(blocks))).toMatchObject({ decided: true });
  });

  test('R-operate: attack: a call that was decided elsewhere is not decided again', async () => {
    const blocks = await tell({ at: 1 });
    const [asked] = await pending();
    await helve.plane.decideApproval(helve.admin, asked?.id ?? '', 'rejected', 'api');
    await expect(send(factsOf(blocks))).rejects.toMatchObject({ code: 'conflict' });
    expect(await helve.plane.approval(helve.admin, asked?.id ?? '')).toMatchObject({ status: 'rejected' });
  });

  test('R-operate: attack: another workspace that uses the same app, and knows its secret, decides nothing here', async () => {
    const blocks = await tell({ at: 1 });
    const [workspaceId = '', channel = '', message = '', approval = '', decision = ''] = JSON.parse(
      factsOf(blocks).value,
    ) as string[];
    const guessed = JSON.stringify([workspaceId, channel, message, approval, decision, 'AAAA']);
    await expect(send(factsOf(blocks, { value: guessed }))).rejects.toMatchObject(forbidden);
    const { workspaceId: other } = await helve.ensureWorkspace('other');
    const moved = JSON.stringify([other, channel, message, approval, decision, 'AAAA']);
    await expect(send(factsOf(blocks, { value: moved }))).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(await pending()).toHaveLength(1);
  });

  test('R-operate: attack: what is shown goes to the address of Slack and nowhere else', async () => {
    const blocks = await tell({ at: 1 });
    const elsewhere = await startScripted();
    const address = `${elsewhere.url}/actions`;
    expect(await send(factsOf(blocks, { responseUrl: address }))).toEqual({ decided: true, shown: false });
    expect(elsewhere.seen).toEqual([]);
    await elsewhere.close();
  });

  test('R-operate: attack: an agent, and a key that lacks a permission, cannot set the signing secret; nobody is shown it', async () => {
    const change = { signingSecret: 'e'.repeat(32) };
    for (const by of [helve.agent, await signIn('Auditor', 'auditor')])
      await expect(helve.plane.changeNotificationChannel(by, channelId, change)).rejects.toMatchObject(forbidden);
    const shown = JSON.stringify([await helve.plane.notificationChannels(helve.admin), await helve.audited()]);
    expect(shown).toContain('"buttons":true');
    expect(shown).not.toContain(secret);
  });
});
