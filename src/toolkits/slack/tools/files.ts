/** Files. An upload takes three steps; nobody sees anything before the last one. */
import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { get, nextPage, post, postRepeatable } from '../api.js';
import { resolveChannel } from '../channels.js';
import { defineSlackTool } from '../define-tool.js';
import { channel, next_page, paging, threadTs, user } from '../inputs.js';
import { fileRecord } from '../shapes/file.js';

interface FileList {
  readonly files: readonly object[];
  readonly paging?: { readonly page?: number; readonly pages?: number };
}

export const listFiles = defineSlackTool({
  name: 'list_files',
  title: 'List files',
  description: 'Files that were uploaded, newest first.',
  inputSchema: z.strictObject({
    channel: channel.optional(),
    user: user.optional(),
    types: z
      .array(z.enum(['spaces', 'snippets', 'images', 'gdocs', 'zips', 'pdfs']))
      .min(1)
      .max(6)
      .optional(),
    ...paging,
  }),
  outputSchema: z.strictObject({ files: z.array(fileRecord.shape), next_page }),
  annotations: effects.reads,
  scopes: ['files:read'],
  capabilities: ['list files'],
  async execute({ types, ...input }, { service }) {
    const channelId = input.channel === undefined ? undefined : await resolveChannel(service, input.channel);
    const wanted = { ...input, channel: channelId, types: types?.join(',') };
    const found = await get<FileList>(service, 'files.list', wanted);
    return { files: found.files.map(fileRecord.read), next_page: nextPage(input.page, found.paging) };
  },
});

export const uploadFile = defineSlackTool({
  name: 'upload_file',
  title: 'Upload a file',
  description: 'Upload a file and share it in a channel; without a channel only this account sees it.',
  inputSchema: z.strictObject({
    filename: z
      .string()
      .min(1)
      .max(255)
      .regex(/^[^/\\\x00-\x1f]+$/),
    content: z.string().min(1).max(7_000_000),
    encoding: z.enum(['utf8', 'base64']).default('utf8').describe('Of content'),
    title: z.string().min(1).max(255).optional(),
    channel: channel.optional(),
    thread_ts: threadTs,
    initial_comment: z.string().min(1).max(4_000).optional().describe('Text that is posted with the file'),
  }),
  outputSchema: z.strictObject({ file: fileRecord.shape, channel: z.string().optional() }),
  annotations: effects.creates,
  idempotency: { by: 'ask', how: 'Slack makes a new file of each upload, and shows no mark of the call' },
  scopes: ['files:write'],
  capabilities: ['upload file', 'share file'],
  timeoutMs: 120_000,
  async execute({ filename, content, encoding, title = filename, thread_ts, initial_comment, ...input }, { service }) {
    if (input.channel === undefined && (thread_ts !== undefined || initial_comment !== undefined))
      throw new HelveError('invalid_input', 'thread_ts and initial_comment are for a channel', {
        hint: 'Give channel with them.',
      });
    const body = decodeContent(content, encoding);
    const channelId = input.channel === undefined ? undefined : await resolveChannel(service, input.channel);
    // An upload address that is not used expires, and the same bytes sent twice are one file.
    const wanted = { filename, length: body.byteLength };
    type Place = { upload_url: string; file_id: string };
    const place = await postRepeatable<Place>(service, 'files.getUploadURLExternal', wanted);
    await service.request({
      method: 'POST',
      path: place.upload_url,
      headers: { 'content-type': 'application/octet-stream' },
      body,
      repeatable: true,
    });
    const { files } = await post<{ files: readonly object[] }>(service, 'files.completeUploadExternal', {
      files: [{ id: place.file_id, title }],
      channel_id: channelId,
      thread_ts,
      initial_comment,
    });
    return { file: fileRecord.read(files[0] ?? { id: place.file_id, title }), channel: channelId };
  },
});

function decodeContent(content: string, encoding: 'utf8' | 'base64'): Uint8Array {
  if (encoding === 'utf8') return Buffer.from(content, 'utf8');
  const plain = content.replace(/\s+/g, '');
  if (plain === '' || plain.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(plain))
    throw new HelveError('invalid_input', 'content is not base64', { hint: 'Send base64, or encoding utf8 for text.' });
  return Buffer.from(plain, 'base64');
}
