/** Uploading a file, in three steps, beside Slack's official client; the server is ours, since descriptions lack these methods. */
import { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Scripted, type Seen, sendJson, startScripted } from '../../../tests/counterparts/scripted.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { botToken, connectedTo, named } from './testing/connected.js';

let api: Scripted;
let files: Scripted;
let helve: TestHelve;
beforeAll(async () => {
  [api, files] = await Promise.all([startScripted(), startScripted()]);
  helve = await createTestHelve(connectedTo(api.url, files.url));
});
afterAll(async () => {
  await helve?.close();
  await Promise.all([api?.close(), files?.close()]);
});
beforeEach(() => {
  api.seen.length = 0;
  files.seen.length = 0;
  files.answer = (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('OK - 7');
  api.answer = ({ url }, response) =>
    sendJson(
      response,
      200,
      url.includes('getUploadURLExternal')
        ? { ok: true, upload_url: `${files.url}/upload/v1/CwABAAAA`, file_id: 'F123ABC456' }
        : { ok: true, files: [{ id: 'F123ABC456', title: 'Report' }] },
    );
});

const input = {
  filename: 'report.txt',
  content: 'Grüße',
  title: 'Report',
  channel: 'C024BE91L',
  thread_ts: '1503435956.000247',
  initial_comment: 'Here it is',
};
const method = ({ url }: Seen) => new URL(url, 'http://x').pathname.slice(1);
const parameters = ({ url, body }: Seen) =>
  Object.fromEntries([...new URL(url, 'http://x').searchParams, ...new URLSearchParams(body)]);

test('R-slack: upload_file asks for an address, sends the bytes there and shares the file', async () => {
  const result = await helve.call(named('upload_file'), input);
  expect(result).toMatchObject({
    ok: true,
    output: { file: { id: 'F123ABC456', title: 'Report' }, channel: 'C024BE91L' },
  });
  expect(api.seen.map(method)).toEqual(['files.getUploadURLExternal', 'files.completeUploadExternal']);
  const [asked, completed] = api.seen.map(parameters);
  expect(api.seen.map((seen) => seen.method)).toEqual(['POST', 'POST']);
  expect(asked).toEqual({ filename: 'report.txt', length: '7' });
  expect(completed).toEqual({
    files: '[{"id":"F123ABC456","title":"Report"}]',
    channel_id: 'C024BE91L',
    thread_ts: '1503435956.000247',
    initial_comment: 'Here it is',
  });
  expect(files.seen).toMatchObject([{ method: 'POST', url: '/upload/v1/CwABAAAA', body: 'Grüße' }]);
});

test('R-slack: the official client asks and completes with the same', async () => {
  const official = new WebClient(botToken, { slackApiUrl: `${api.url}/`, retryConfig: { retries: 0 } });
  await official.filesUploadV2({
    channel_id: input.channel,
    thread_ts: input.thread_ts,
    initial_comment: input.initial_comment,
    filename: input.filename,
    title: input.title,
    file: Buffer.from(input.content),
  });
  const theirs = api.seen.map((seen) => [method(seen), parameters(seen)]);
  api.seen.length = 0;
  await helve.call(named('upload_file'), input);
  expect(api.seen.map((seen) => [method(seen), parameters(seen)])).toEqual(theirs);
});

test('R-slack: base64 is sent as the bytes that it encodes', async () => {
  const content = Buffer.from('Grüße').toString('base64');
  expect(await helve.call(named('upload_file'), { filename: 'a.bin', content, encoding: 'base64' })).toMatchObject({
    ok: true,
  });
  expect(files.seen).toMatchObject([{ body: 'Grüße', headers: { 'content-length': '7' } }]);
  expect(parameters(api.seen[1] as Seen)).toEqual({ files: '[{"id":"F123ABC456","title":"a.bin"}]' });
});

test('R-slack: bytes whose answer is lost are sent again, and shared once', async () => {
  files.answer = (_, response) =>
    files.seen.length === 1
      ? void response.destroy()
      : void response.writeHead(200, { 'content-type': 'text/plain' }).end('OK - 7');
  expect(await helve.call(named('upload_file'), input)).toMatchObject({ ok: true });
  expect(files.seen).toHaveLength(2);
  expect(api.seen).toHaveLength(2);
});

test('R-slack: sharing whose answer is lost has an unknown outcome', async () => {
  api.answer = ({ url }, response) =>
    url.includes('getUploadURLExternal')
      ? sendJson(response, 200, { ok: true, upload_url: `${files.url}/upload/v1/x`, file_id: 'F1' })
      : void response.destroy();
  expect(await helve.call(named('upload_file'), input)).toMatchObject({
    ok: false,
    error: { code: 'outcome_unknown' },
  });
  expect(api.seen.map(method)).toEqual(['files.getUploadURLExternal', 'files.completeUploadExternal']);
});

test('R-slack: bytes go nowhere but to the host of Slack’s files', async () => {
  api.answer = (_, response) =>
    sendJson(response, 200, { ok: true, upload_url: 'http://127.0.0.1:9/upload', file_id: 'F1' });
  expect(await helve.call(named('upload_file'), input)).toMatchObject({ ok: false, error: { code: 'egress_blocked' } });
  expect(api.seen).toHaveLength(1);
});

test('R-slack: an upload that is refused is not shared', async () => {
  files.answer = (_, response) => void response.writeHead(413, { 'content-type': 'text/plain' }).end('too big');
  expect(await helve.call(named('upload_file'), input)).toMatchObject({ ok: false, error: { code: 'too_large' } });
  expect(api.seen).toHaveLength(1);
});
