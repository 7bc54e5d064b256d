/**
 * Every tool against prism on Slack's own description of its API: that the request is one Slack knows, that the answer
 * fits what the tool promises, that prism looks at all (each request is sent once more, spoilt), and that Slack's official
 * client sends the same for the same act.
 */
import { LogLevel, WebClient } from '@slack/web-api';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Counterpart } from '../../../tests/counterparts/child.js';
import { passOnTo, type Scripted, type Seen, startScripted } from '../../../tests/counterparts/scripted.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { botToken, connectedTo, named } from './testing/connected.js';
import { documentMissing, slackDocument } from './testing/document.js';
import { startPrism } from './testing/prism.js';
import { slackTools } from './tools/index.js';

interface Case {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Method of Slack, with the verb that is used. */
  readonly sends: string;
  /** As query or form. */
  readonly with: Readonly<Record<string, string>>;
  readonly output: unknown;
  /** What the official client is told, where it shall send the same. */
  readonly officially?: Readonly<Record<string, unknown>>;
  /** Parameters that are replaced or (undefined) taken away; prism must refuse each. */
  readonly spoilt: readonly Readonly<Record<string, string | undefined>>[];
}

const ts = '1503435956.000247';
const at = { channel: 'C024BE91L' };
const text = expect.any(String);
const quiet = { unfurl_links: 'false', unfurl_media: 'false' };
const quietly = { unfurl_links: false, unfurl_media: false };
/** Names the effect. The description is older than this field. */
const metadata = expect.stringMatching(/^\{"event_type":"helve_call","event_payload":\{"effect":"[0-9a-f]{32}"\}\}$/);
const younger = ['metadata'];
const blocks = [{ text: { text: 'Hi & *bye*', type: 'mrkdwn' }, type: 'section' }];

// biome-ignore format: a table
const cases: readonly Case[] = [
  { tool: 'get_current_user', input: {}, sends: 'POST auth.test', with: {}, officially: {},
    output: { user_id: 'W12345678', user: 'grace', team: 'Subarachnoid Workspace', team_id: 'T12345678' }, spoilt: [{ tokne: 'x' }] },

  { tool: 'post_message', input: { ...at, text: 'Grüße <&>', thread_ts: ts, reply_broadcast: true }, sends: 'POST chat.postMessage',
    with: { ...at, ...quiet, text: 'Grüße <&>', thread_ts: ts, reply_broadcast: 'true', mrkdwn: 'true', metadata },
    officially: { ...at, ...quietly, text: 'Grüße <&>', thread_ts: ts, reply_broadcast: true, mrkdwn: true },
    output: { channel: 'C1H9RESGL', ts, message: { text: "Here's a message for you", bot_id: 'B19LU7CSY', attachments: ['This is an attachment'] } },
    spoilt: [{ channel: undefined }, { mrkdwn: 'perhaps' }] },
  { tool: 'post_message', input: { ...at, blocks }, sends: 'POST chat.postMessage', with: { ...at, ...quiet, blocks: JSON.stringify(blocks), mrkdwn: 'true', metadata },
    officially: { ...at, ...quietly, blocks, mrkdwn: true }, output: { ts }, spoilt: [{ unfurl_links: 'no way' }] },
  { tool: 'update_message', input: { ...at, ts, text: 'New' }, sends: 'POST chat.update', with: { ...at, ts, text: 'New', blocks: '[]' }, officially: { ...at, ts, text: 'New', blocks: [] },
    output: { channel: 'C024BE91L', ts: '1401383885.000061', text: 'Updated text you carefully authored' }, spoilt: [{ ts: undefined }, { channel: undefined }] },
  { tool: 'delete_message', input: { ...at, ts }, sends: 'POST chat.delete', with: { ...at, ts }, officially: { ...at, ts },
    output: { deleted: true, ...at, ts }, spoilt: [{ ts: undefined }, { ts: 'yesterday' }] },
  { tool: 'schedule_message', input: { ...at, text: 'Later', post_at: '2026-01-31T10:00:00+01:00' }, sends: 'POST chat.scheduleMessage',
    with: { ...at, ...quiet, text: 'Later', post_at: '1769850000' }, officially: { ...at, ...quietly, text: 'Later', post_at: 1_769_850_000 },
    output: { channel: 'C1H9RESGL', scheduled_message_id: 'Q1298393284', post_at: '2019-07-03T19:00:00.000Z' }, spoilt: [{ post_at: undefined }, { unfurl_media: 'no way' }] },

  { tool: 'list_messages', input: { ...at, limit: 2, oldest: ts, inclusive: true }, sends: 'GET conversations.history', with: { ...at, limit: '2', oldest: ts, inclusive: 'true' },
    officially: { ...at, limit: 2, oldest: ts, inclusive: true },
    output: { ...at, messages: [{ ts: '1512085950.000216', user: 'U012AB3CDE', time: '2017-11-30T23:52:30.000Z' }, { user: 'U061F7AUR' }], next_cursor: 'bmV4dF90czoxNTEyMDg1ODYxMDAwNTQz' },
    spoilt: [{ limit: 'many' }, { channel: undefined }, { inclusive: 'perhaps' }] },
  { tool: 'get_thread', input: { ...at, ts: '1482960137.003543', cursor: 'abc=' }, sends: 'GET conversations.replies', with: { ...at, ts: '1482960137.003543', limit: '100', cursor: 'abc=' },
    officially: { ...at, ts: '1482960137.003543', limit: 100, cursor: 'abc=' },
    output: { messages: [{ text: 'island', reply_count: 3 }, { text: 'one island', thread_ts: '1482960137.003543' }, {}, {}], next_cursor: text }, spoilt: [{ ts: undefined }, { ts: 'first' }] },
  { tool: 'get_permalink', input: { ...at, ts }, sends: 'GET chat.getPermalink', with: { ...at, message_ts: ts }, officially: { ...at, message_ts: ts },
    output: { permalink: 'https://ghostbusters.slack.com/archives/C1H9RESGA/p135854651500008' }, spoilt: [{ message_ts: undefined }] },
  { tool: 'search_messages', input: { query: 'meaning in:#general', sort: 'timestamp', page: 2 }, sends: 'GET search.messages',
    with: { query: 'meaning in:#general', sort: 'timestamp', sort_dir: 'desc', count: '20', page: '2' },
    officially: { query: 'meaning in:#general', sort: 'timestamp', sort_dir: 'desc', count: 20, page: 2 },
    output: { total: 2, matches: expect.arrayContaining([expect.objectContaining({ channel: 'C12345678', channel_name: 'general', permalink: text, message: expect.objectContaining({ username: 'roach' }) })]) },
    spoilt: [{ query: undefined }, { page: 'last' }] },

  { tool: 'list_channels', input: { types: ['public_channel', 'im'], limit: 1000 }, sends: 'GET conversations.list', with: { types: 'public_channel,im', exclude_archived: 'true', limit: '1000' },
    officially: { types: 'public_channel,im', exclude_archived: true, limit: 1000 },
    output: { channels: [{ id: 'C012AB3CD', name: 'general', kind: 'public_channel', is_member: true, members: 4, topic: 'Company-wide announcements and work-based matters' }, { id: 'C061EG9T2' }], next_cursor: text },
    spoilt: [{ limit: 'many' }, { exclude_archived: 'some' }] },
  { tool: 'get_channel', input: at, sends: 'GET conversations.info', with: { ...at, include_num_members: 'true' }, officially: { ...at, include_num_members: true },
    output: { id: 'C012AB3CD', name: 'general', is_archived: false, created: '2015-12-04T18:14:49.000Z' }, spoilt: [{ channel: undefined }, { include_num_members: 'some' }] },
  { tool: 'create_channel', input: { name: 'endeavor' }, sends: 'POST conversations.create', with: { name: 'endeavor', is_private: 'false' }, officially: { name: 'endeavor', is_private: false },
    output: { id: 'C0EAQDV4Z', name: 'endeavor' }, spoilt: [{ name: undefined }, { is_private: 'perhaps' }] },
  { tool: 'archive_channel', input: at, sends: 'POST conversations.archive', with: at, officially: at, output: { archived: true, was_archived: false, ...at }, spoilt: [{ channel: undefined }] },
  { tool: 'invite_to_channel', input: { ...at, users: ['U012AB3CD', 'W061F7AUR'] }, sends: 'POST conversations.invite', with: { ...at, users: 'U012AB3CD,W061F7AUR' },
    officially: { ...at, users: 'U012AB3CD,W061F7AUR' }, output: { ...at, invited: true }, spoilt: [{ users: undefined }] },
  { tool: 'join_channel', input: at, sends: 'POST conversations.join', with: at, officially: at, output: { id: 'C061EG9SL', is_member: true }, spoilt: [{ channel: undefined }] },
  { tool: 'open_direct_message', input: { users: ['U012AB3CD'] }, sends: 'POST conversations.open', with: { users: 'U012AB3CD' }, officially: { users: 'U012AB3CD' },
    output: { channel: 'D069C7QFK' }, spoilt: [{ return_im: 'perhaps' }] },

  { tool: 'list_users', input: { limit: 2, cursor: 'dXNlcjpVMDYxTkZUVDI=' }, sends: 'GET users.list', with: { limit: '2', cursor: 'dXNlcjpVMDYxTkZUVDI=' },
    officially: { limit: 2, cursor: 'dXNlcjpVMDYxTkZUVDI=' }, output: { users: [{ id: 'W012A3CDE', name: 'spengler', is_admin: true, is_bot: false }, { id: text }], next_cursor: text }, spoilt: [{ limit: 'many' }] },
  { tool: 'get_user', input: { user: 'W012A3CDE' }, sends: 'GET users.info', with: { user: 'W012A3CDE' }, officially: { user: 'W012A3CDE' },
    output: { id: 'W012A3CDE', email: 'spengler@ghostbusters.example.com', display_name: 'spengler' }, spoilt: [{ user: undefined }] },
  { tool: 'find_user_by_email', input: { email: 'spengler+x@ghostbusters.example.com' }, sends: 'GET users.lookupByEmail', with: { email: 'spengler+x@ghostbusters.example.com' },
    officially: { email: 'spengler+x@ghostbusters.example.com' }, output: { id: 'W012A3CDE', real_name: 'Egon Spengler' }, spoilt: [{ email: undefined }] },

  { tool: 'add_reaction', input: { ...at, ts, name: 'thumbsup::skin-tone-6' }, sends: 'POST reactions.add', with: { ...at, timestamp: ts, name: 'thumbsup::skin-tone-6' },
    officially: { ...at, timestamp: ts, name: 'thumbsup::skin-tone-6' }, output: { ...at, ts, added: true }, spoilt: [{ name: undefined }, { timestamp: undefined }] },
  { tool: 'remove_reaction', input: { ...at, ts, name: 'tada' }, sends: 'POST reactions.remove', with: { ...at, timestamp: ts, name: 'tada' },
    officially: { ...at, timestamp: ts, name: 'tada' }, output: { ...at, ts, removed: true }, spoilt: [{ name: undefined }] },
  { tool: 'list_reactions', input: { ...at, ts }, sends: 'GET reactions.get', with: { ...at, timestamp: ts, full: 'true' }, officially: { ...at, timestamp: ts, full: true },
    output: { ...at, ts, reactions: [{ name: 'tada', count: 2, users: ['U2U85N1RV'] }] }, spoilt: [{ timestamp: undefined }, { full: 'perhaps' }] },

  { tool: 'list_files', input: { ...at, types: ['images', 'pdfs'] }, sends: 'GET files.list', with: { ...at, types: 'images,pdfs', count: '20', page: '1' },
    officially: { ...at, types: 'images,pdfs', count: 20, page: 1 },
    output: { files: expect.arrayContaining([expect.objectContaining({ id: 'F0S43P1CZ', name: 'billair.gif', media_type: 'image/gif', size: 144_538 })]) }, spoilt: [{ ts_from: 'yesterday' }] },
];

/** prism takes fields that it does not know: those of each form are looked up in the description itself. */
function describedFields(method: string): string[] {
  const { paths } = slackDocument();
  return Object.keys(
    paths[`/${method}`]?.post.requestBody.content['application/x-www-form-urlencoded'].schema.properties ?? {},
  );
}

/** What was sent, whether as query or as form. */
function readParameters({ url, body }: Seen): Record<string, string> {
  return Object.fromEntries([...new URL(url, 'http://x').searchParams, ...new URLSearchParams(body)]);
}

describe.skipIf(documentMissing !== undefined)(
  `every tool${documentMissing ? ` (left out: ${documentMissing})` : ''}`,
  () => {
    let prism: Counterpart;
    let watcher: Scripted;
    let helve: TestHelve;
    beforeAll(async () => {
      [prism, watcher] = await Promise.all([startPrism(), startScripted()]);
      watcher.answer = passOnTo(() => prism.url);
      helve = await createTestHelve(connectedTo(watcher.url));
    }, 60_000);
    afterAll(async () => {
      await helve?.close();
      await Promise.all([watcher?.close(), prism?.close()]);
    });
    beforeEach(() => {
      watcher.seen.length = 0;
    });

    async function spoil({ method, url }: Seen, parameters: Record<string, string>): Promise<number> {
      const { pathname } = new URL(url, 'http://x');
      const written = new URLSearchParams(parameters);
      const headers = { authorization: `Bearer ${botToken}` };
      const response =
        method === 'GET'
          ? await fetch(`${prism.url}${pathname}?${written}`, { headers })
          : await fetch(`${prism.url}${pathname}`, { method, headers, body: written });
      return response.status;
    }

    test.each(
      cases,
    )('R-slack: $tool sends $sends, which Slack’s description allows, and not when spoilt', async (one) => {
      const result = await helve.call(named(one.tool), one.input);
      expect(result).toMatchObject({ ok: true, output: one.output });
      expect(watcher.seen).toHaveLength(1);
      const [sent] = watcher.seen as [Seen];
      expect(`${sent.method} ${new URL(sent.url, 'http://x').pathname.slice(1)}`).toBe(one.sends);
      expect(readParameters(sent)).toEqual(one.with);
      const fields = Object.keys(one.with).filter((name) => !younger.includes(name));
      expect(describedFields(one.sends.split(' ')[1] ?? '')).toEqual(expect.arrayContaining(fields));
      expect(sent.headers.authorization).toBe(`Bearer ${botToken}`);
      expect(await spoil(sent, readParameters(sent))).toBe(200);
      for (const change of one.spoilt) {
        const spoilt = Object.entries({ ...readParameters(sent), ...change }).filter(
          ([, value]) => value !== undefined,
        );
        expect([400, 422], JSON.stringify(change)).toContain(
          await spoil(sent, Object.fromEntries(spoilt) as Record<string, string>),
        );
      }
    });

    test.each(
      cases.filter(({ officially }) => officially),
    )('R-slack: $tool sends what the official client sends ($sends)', async (one) => {
      const official = new WebClient(botToken, {
        slackApiUrl: `${watcher.url}/`,
        retryConfig: { retries: 0 },
        logLevel: LogLevel.ERROR,
        allowAbsoluteUrls: false,
      });
      const [, method = ''] = one.sends.split(' ');
      expect(await official.apiCall(method, { ...one.officially })).toMatchObject({ ok: true });
      await helve.call(named(one.tool), one.input);
      const [theirs, ours] = watcher.seen as [Seen, Seen];
      expect(new URL(theirs.url, 'http://x').pathname).toBe(new URL(ours.url, 'http://x').pathname);
      const { metadata: _, ...parameters } = readParameters(ours);
      expect(parameters).toEqual(readParameters(theirs));
      expect(ours.headers.authorization).toBe(theirs.headers.authorization);
    });

    test('R-slack: without a token the counterpart refuses', async () => {
      expect((await fetch(`${prism.url}/conversations.list`)).status).toBe(401);
    });

    test('R-slack: none is left out but the upload, whose methods are younger than the description (upload.test.ts)', () => {
      const tried = new Set(cases.map(({ tool }) => tool));
      expect(slackTools.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual(['upload_file']);
    });
  },
);
