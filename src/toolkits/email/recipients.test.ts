/**
 * Recipient tricks through the pipeline, against two mail servers of others: whatever is asked, the server is told the
 * allowed recipients or nobody, and the headers name nobody else.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readAttacks } from '../../../tests/data/attacks.js';
import { createMailHelve, type MailServer, startMaildev, startMailServer } from '../../../tests/mail/counterparts.js';
import { tricks } from '../../../tests/mail/tricks.js';
import { anyCharacter } from '../../testing/any-character.js';
import type { TestHelve } from '../../testing/index.js';

interface Row {
  readonly id: string;
  readonly field: string;
  readonly value: string;
}

const rows = readAttacks<Row>('email-recipient-bypass');

const isAllowed = (address: string): boolean =>
  /^[a-z0-9_.+'-]+@corp\.example$/i.test(address) || address === 'ops@partner.example';
const plain = { to: 'a@corp.example', subject: 'Report', body: 'Ready.' };
const refusals = ['invalid_input', 'forbidden'];

let server: MailServer;
let helve: TestHelve;
beforeAll(async () => {
  server = await startMailServer({ size: 1_000_000 });
  helve = await createMailHelve({ smtp: { port: server.port } });
});
afterAll(async () => {
  await helve.close();
  await server.close();
});
beforeEach(() => {
  server.told.length = 0;
  server.delivered.length = 0;
});

async function send(input: object): Promise<string> {
  const result = await helve.call('send_email', input);
  return result.ok ? 'sent' : result.error.code;
}

/** Where a value of the rows goes; what is no field of ours stays one, and is refused as such. */
const place = (field: string, value: string): object => {
  if (field === 'attachment_name') return { ...plain, attachments: [{ filename: value, content_base64: 'aGk=' }] };
  return { ...plain, [field]: value };
};

/** The server was told of allowed recipients only, and each mail it took says nothing else in its headers. */
function expectClean(): void {
  expect(server.told.filter((address) => !isAllowed(address))).toEqual([]);
  for (const { recipients, parsed, raw } of server.delivered) {
    const named = [parsed.to, parsed.cc, parsed.bcc]
      .flat()
      .flatMap((one) => one?.value.map(({ address }) => address ?? '') ?? []);
    expect(named.filter((address) => !recipients.includes(address))).toEqual([]);
    const [head = ''] = raw.toString('latin1').split('\r\n\r\n');
    expect(head.split('\r\n').filter((line) => /^(?:bcc|mail from|rcpt to)\b/i.test(line))).toEqual([]);
    expect((head.match(/^subject:/gim) ?? []).length).toBeLessThan(2);
  }
}

test('R-email: these servers see what is sent, so that a leak would be seen', async () => {
  expect(await send({ ...plain, cc: ['b@corp.example'], bcc: 'OPS@partner.example' })).toBe('sent');
  expect(server.delivered[0]?.recipients).toEqual(['a@corp.example', 'b@corp.example', 'ops@partner.example']);
  expectClean();
});

describe('attack rows', () => {
  test.each(rows)('R-email: $id in $field reaches nobody else', async ({ field, value }) => {
    const outcome = await send(place(field, value));
    if (field === 'subject' && outcome === 'sent') expect(server.delivered[0]?.parsed.subject).toBe(value);
    else expect(refusals).toContain(outcome);
    if (field !== 'subject') expect(server.told).toEqual([]);
    expectClean();
  });

  test.each(rows)('R-email: $id in $field as one of several refuses all', async ({ field, value }) => {
    if (!['to', 'cc', 'bcc'].includes(field)) return;
    expect(refusals).toContain(await send({ ...plain, [field]: ['a@corp.example', value] }));
    expect(server.told).toEqual([]);
  });

  test.each(
    rows.filter(({ field }) => field === 'from_name'),
  )('R-email: $id in the operator’s own from is refused or harmless', async ({ value }) => {
    const other = createMailHelve({ smtp: { port: server.port, from: `${value} <agent@corp.example>` } });
    const refused = await other.then(
      async (one) => {
        const { ok } = await one.call('send_email', plain);
        await one.close();
        return !ok;
      },
      () => true,
    );
    expect(refused || server.delivered.length === 1).toBe(true);
    expectClean();
  });
});

describe('tricks of our own', () => {
  test.each(tricks)('R-email: %j is nobody, in any field', async (trick) => {
    for (const field of ['to', 'cc', 'bcc', 'reply_to'])
      expect(refusals, field).toContain(await send({ ...plain, [field]: trick }));
    expect(refusals).toContain(await send({ ...plain, to: ['a@corp.example', trick] }));
    expect(server.told).toEqual([]);
  });

  test('R-email: for any text as recipient the server hears of the allow-list or of nobody', async () => {
    const piece = fc.constantFrom(
      'a', 'evil', 'ops', '@', '@corp.example', '@partner.example', '@evil.example', '.', ',', ';', ' ', '<', '>', '"', '(', ')',
      '\\', '\r\n', '\n', '\0', '\t', '%', '!', ':', '[', ']', '+', '-', 'ａ', 'і', '\u200b', '\u202e', 'Bcc:', '=?utf-8?q?', '?=',
    ); // biome-ignore format: a table
    const text = fc.oneof(
      fc.string({ maxLength: 40, unit: anyCharacter }),
      fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join('')),
      fc.emailAddress(),
    );
    const field = fc.constantFrom('to', 'cc', 'bcc', 'reply_to', 'subject');
    await fc.assert(
      fc.asyncProperty(field, text, async (name, value) => {
        server.told.length = 0;
        server.delivered.length = 0;
        const outcome = await send({ ...plain, [name]: value });
        expect([...refusals, 'sent']).toContain(outcome);
        if (outcome !== 'sent') expect(server.told).toEqual([]);
        expectClean();
      }),
      { numRuns: 300 },
    );
  });
});

describe('maildev', () => {
  test('R-email: takes exactly the allowed set, once each, and hears nothing of refused mails', async () => {
    const maildev = await startMaildev();
    const other = await createMailHelve({ smtp: { port: maildev.port } });
    const sent = await other.call('send_email', {
      ...plain,
      to: ['a@corp.example', 'A@CORP.example'],
      cc: ['b.c@corp.example', 'a@corp.example'],
      bcc: ['Ops@Partner.Example', 'b.c@corp.example'],
    });
    expect(sent).toMatchObject({ ok: true });
    for (const trick of tricks) await other.call('send_email', { ...plain, bcc: trick });
    for (const { field, value } of rows.filter((row) => row.field !== 'subject'))
      await other.call('send_email', place(field, value));
    await expect
      .poll(() => maildev.recipients())
      .toEqual([['a@corp.example', 'b.c@corp.example', 'ops@partner.example']]);
    await other.close();
    await maildev.close();
  });
});
