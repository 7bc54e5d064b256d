/**
 * The answer to each write is lost, and the call is made again as the next owner of its run makes it. Gmail is
 * `@emulators/google`; Calendar and Sheets are a fake that keeps events and cells, since the emulator lacks much of them.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Act, forwardTo, namesWithEffects, repeatAfterLoss } from '../../../tests/counterparts/lost-answers.js';
import { type Scripted, type Seen, startScripted } from '../../../tests/counterparts/scripted.js';
import { stores, useStore } from '../../../tests/counterparts/stores.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { googleWorkspace } from './index.js';
import { type GoogleEmulator, startGoogleEmulator } from './testing/emulator.js';
import { workspaceAt } from './testing/workspace.js';

describe.each(stores)('on %s', (kind) => {
  const store = useStore(kind);
  let google: GoogleEmulator;
  let server: Scripted;
  let helve: TestHelve;
  beforeAll(async () => {
    const labels = [{ id: 'Label_7', user_email: 'ada@example.com', name: 'Receipts' }];
    const facts = {
      user_email: 'ada@example.com',
      from: 'shop@example.net',
      to: 'ada@example.com',
      date: '2026-01-01T10:00:00Z',
    };
    const messages = [1, 2, 3, 4, 5, 6].map((index) => ({
      ...facts,
      id: `old_${index}`,
      thread_id: `thread_${index}`,
      subject: `Order ${index}`,
      body_text: 'Your order',
      label_ids: ['INBOX', 'UNREAD'],
      message_id: `<order-${index}@example.net>`,
    }));
    google = await startGoogleEmulator({ labels, messages });
    server = await startScripted();
    server.answer = async (seen, response) => {
      const { status = 200, body } = await forwardTo(google.baseUrl)(seen);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(body);
    };
    helve = await createTestHelve({ ...workspaceAt(server.url), ...(await store()) });
  });
  afterAll(async () => {
    await helve?.close();
    await server?.close();
    await google?.close();
  });

  let effects: string[];
  let events: Map<string, Record<string, unknown>>;
  let cells: unknown[];
  beforeEach(() => {
    effects = [];
    cells = [];
    const attendees = [
      { email: 'ada@example.com', self: true, responseStatus: 'needsAction' },
      { email: 'bob@example.com' },
    ];
    events = new Map([['e1', { id: 'e1', etag: '"1"', summary: 'Review', attendees }]]);
  });

  const gmail: Act = async (seen) => {
    const snapshot = () => JSON.stringify([google.store.messages.all(), google.store.drafts.all()]);
    // The emulator cuts this operator one letter short and never finds any.
    const [, sought] = /[?&]q=rfc822msgid(?::|%3A)([^&]+)/.exec(seen.url) ?? [];
    if (sought !== undefined && seen.url.includes('/messages?')) {
      const found = google.store.messages.findBy('message_id', `<${decodeURIComponent(sought)}>`);
      return { body: { messages: found.map((one) => ({ id: one.gmail_id, threadId: one.thread_id })) } };
    }
    const before = snapshot();
    const reply = await forwardTo(google.baseUrl)(seen);
    if (snapshot() !== before) effects.push(`${seen.method} ${seen.url}`);
    return reply;
  };

  const calendar = ({ method, url, headers, body }: Seen) => {
    const id = method === 'POST' ? JSON.parse(body).id : /\/events\/(\w+)/.exec(url)?.[1];
    const event = events.get(id);
    if (method === 'POST' && event) return refusal(409, 'duplicate');
    if (method !== 'POST' && !event) return refusal(410, 'deleted');
    if (method === 'GET') return { body: event };
    if (headers['if-match'] !== undefined && headers['if-match'] !== event?.etag)
      return refusal(412, 'conditionNotMet');
    effects.push(`${method} ${url}`);
    if (method === 'DELETE') {
      events.delete(id);
      return { status: 204 };
    }
    const changed = { ...event, ...JSON.parse(body), id, etag: `"${effects.length + 1}"` };
    events.set(id, changed);
    return { body: changed };
  };

  const refusal = (code: number, reason: string) => ({
    status: code,
    body: { error: { code, message: reason, errors: [{ reason, message: reason }] } },
  });

  const sheets = ({ method, url, body }: Seen) => {
    const { values } = JSON.parse(body) as { values: unknown[] };
    const after = method === 'PUT' ? values : [...cells, ...values];
    if (JSON.stringify(after) !== JSON.stringify(cells)) effects.push(`${method} ${url}`);
    cells = after;
    return {
      body: {
        updatedRange: 'A1',
        updatedRows: 1,
        updatedColumns: 1,
        updatedCells: 1,
        updates: { updatedRows: 1, updatedCells: 1 },
      },
    };
  };

  const act: Act = (seen) => {
    if (seen.url.startsWith('/calendar/')) return calendar(seen);
    return seen.url.includes('/spreadsheets/') ? sheets(seen) : gmail(seen);
  };

  const mail = { to: 'bob@example.com', subject: 'Once', body: 'Only once' };
  const sheet = { spreadsheet_id: '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms', range: 'A1', values: [['x']] };
  const hour = { start: '2026-01-31T14:30:00Z', end: '2026-01-31T15:00:00Z' };

  // biome-ignore format: a table
  const rows = (message: string): readonly (readonly [tool: string, input: object, output: object])[] => [
  ['send_gmail_message', mail, { message_id: expect.stringMatching(/^<[0-9a-f]{32}@example\.com>$/) }],
  ['reply_gmail_message', { message_id: `old_${message}`, body: 'Thanks', cc: 'Dan <dan@example.com>' }, { to: ['shop@example.net'], cc: ['dan@example.com'], subject: `Re: Order ${message}` }],
  ['create_gmail_draft', mail, { draft_id: expect.any(String), id: expect.any(String) }],
  ['label_message', { message_id: `old_${message}`, labels: ['STARRED'] }, { id: `old_${message}` }],
  ['unlabel_message', { message_id: `old_${message}`, labels: ['UNREAD'] }, { id: `old_${message}` }],
  ['label_thread', { thread_id: `thread_${message}`, labels: ['Receipts'] }, { id: `thread_${message}` }],
  ['unlabel_thread', { thread_id: `thread_${message}`, labels: ['INBOX'] }, { id: `thread_${message}` }],
  ['write_spreadsheet_values', sheet, { cells: 1 }],
  ['create_calendar_event', { summary: 'Review', ...hour }, { summary: 'Review', start: hour.start }],
  ['update_calendar_event', { event_id: 'e1', etag: '"1"', location: 'Room 4', add_attendees: ['eve@example.com'] }, { location: 'Room 4' }],
  ['delete_calendar_event', { event_id: 'e1' }, { event_id: 'e1' }],
  ['respond_to_event', { event_id: 'e1', response: 'accepted' }, { id: 'e1' }],
];

  const asked: readonly (readonly [tool: string, input: object])[] = [['append_spreadsheet_values', sheet]];

  test('R-durable-runs: every tool of Google with effects has a row here', async () => {
    const names = [...rows('1'), ...asked].map(([tool]) => tool);
    expect(names.sort()).toEqual(namesWithEffects(await googleWorkspace.load()).sort());
  });

  describe('the answer is lost after Google acted', () => {
    test.each(rows('1'))('R-durable-runs: %s happens once', async (tool, input, output) => {
      const { result } = await repeatAfterLoss({ helve, tool: `work__${tool}`, input }, { server, act }, 'after');
      expect(result).toMatchObject({ ok: true, output });
      expect(effects).toHaveLength(1);
    });

    test.each(asked)('R-durable-runs: %s is left to a person', async (tool, input) => {
      const { result, seen } = await repeatAfterLoss({ helve, tool: `work__${tool}`, input }, { server, act }, 'after');
      expect(result).toMatchObject({ ok: false, error: { code: 'outcome_unknown' } });
      expect(seen).toEqual([]);
      expect(effects).toHaveLength(1);
    });
  });

  describe('the answer is lost before Google acted', () => {
    test.each(rows('2'))('R-durable-runs: %s happens once', async (tool, input, output) => {
      const { result } = await repeatAfterLoss({ helve, tool: `work__${tool}`, input }, { server, act }, 'before');
      expect(result).toMatchObject({ ok: true, output });
      expect(effects).toHaveLength(1);
    });
  });

  describe('Gmail gives the mail another Message-ID', () => {
    let mails: string[];
    let isMore: boolean;
    beforeEach(() => {
      mails = [];
      isMore = false;
    });

    const read = (index: number) => ({ id: `m${index}`, threadId: `t${index}` });
    /** Keeps mails and drafts as they were written, and finds none by its Message-ID. */
    const renaming: Act = ({ method, url, body }) => {
      const { pathname, searchParams } = new URL(url, 'http://google');
      if (method === 'POST') {
        const { raw, message } = JSON.parse(body);
        mails.push(Buffer.from(raw ?? message.raw, 'base64url').toString());
        const made = read(mails.length - 1);
        return { body: raw === undefined ? { id: 'd1', message: made } : made };
      }
      const [, index] = /\/messages\/m(\d+)$/.exec(pathname) ?? [];
      if (index !== undefined) {
        const own = /^(X-Helve-[\w-]+): (.*)\r$/m.exec(mails[Number(index)] ?? '') ?? [];
        const headers = [
          { name: 'Message-ID', value: `<CA+made-by-gmail-${index}@mail.gmail.com>` },
          ...(own[1] === undefined ? [] : [{ name: own[1], value: own[2] }]),
        ];
        return { body: { ...read(Number(index)), payload: { headers } } };
      }
      const q = searchParams.get('q') ?? '';
      const since = Number(/\bafter:(\d+)$/.exec(q)?.[1]);
      // Seconds: a date would be midnight in a zone of its own.
      if (q.startsWith('rfc822msgid') || !(Math.abs(Date.now() / 1_000 - since) < 3_600)) return { body: {} };
      const messages = mails.map((_, at) => read(at)).reverse();
      if (pathname.endsWith('/drafts')) return { body: { drafts: [{ id: 'd1', message: messages[0] }] } };
      return { body: { messages, ...(isMore && { nextPageToken: 'more' }) } };
    };

    test.each([
      ['send_gmail_message', { id: 'm1' }],
      ['create_gmail_draft', { draft_id: 'd1', id: 'm1' }],
    ])('R-durable-runs: %s happens once', async (tool, output) => {
      mails.push('Subject: of another call\r\n\r\n');
      const call = { helve, tool: `work__${tool}`, input: mail };
      const { result } = await repeatAfterLoss(call, { server, act: renaming }, 'after');
      expect(result).toMatchObject({ ok: true, output });
      expect(mails).toHaveLength(2);
    });

    test('R-durable-runs: among too many mails it is left to a person', async () => {
      isMore = true;
      const call = { helve, tool: 'work__send_gmail_message', input: mail };
      const { result } = await repeatAfterLoss(call, { server, act: renaming }, 'before');
      expect(result).toMatchObject({ ok: false, error: { code: 'outcome_unknown' } });
      expect(mails).toEqual([]);
    });
  });

  test('R-durable-runs: an account that may not search its mail leaves the call to a person', async () => {
    const blind: Act = (seen) =>
      seen.url.includes('rfc822msgid') ? refusal(403, 'insufficientPermissions') : act(seen);
    const call = { helve, tool: 'work__send_gmail_message', input: mail };
    const { result } = await repeatAfterLoss(call, { server, act: blind }, 'after');
    expect(result).toMatchObject({ ok: false, error: { code: 'outcome_unknown', details: { reason: 'in_doubt' } } });
    expect(effects).toHaveLength(1);
  });

  test('R-durable-runs: a draft that was sent since is not made again', async () => {
    const call = { helve, tool: 'work__create_gmail_draft', input: mail };
    const sent: Act = (seen) => (seen.url.includes('/drafts?') ? { body: {} } : act(seen));
    const { result } = await repeatAfterLoss(call, { server, act: sent }, 'after');
    expect(result).toMatchObject({ ok: false, error: { code: 'outcome_unknown' } });
    expect(effects).toHaveLength(1);
  });
});
