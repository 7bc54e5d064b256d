/** Mail fields have the same names in every toolkit, and former names are still read. */
import { expect, test } from 'vitest';
import { createTestHelve } from '../testing/index.js';
import { nativeToolkits } from '../toolkits/index.js';
import { readBodies, readPeople } from './mail-input.js';

const sending = ['email.send_email', 'smtp.send_smtp_email', 'google_gmail.send_gmail_message'];

async function definitionOf(id: string) {
  const [slug, name] = id.split('.');
  const tools = await nativeToolkits.find((toolkit) => toolkit.slug === slug)?.load();
  const tool = tools?.find((one) => one.name === name);
  if (!tool) throw new Error(`There is no ${id}`);
  return tool;
}

test('R-email R-smtp R-google-gmail: all tools that send mail take the same field names', async () => {
  const helve = await createTestHelve();
  for (const id of sending) {
    const tool = await helve.registry.get(...(id.split('.') as [string, string]));
    const { properties = {} } = tool.tool.inputSchema as { properties?: object };
    expect(Object.keys(properties), id).toEqual(
      expect.arrayContaining(['to', 'cc', 'bcc', 'reply_to', 'subject', 'body', 'html', 'attachments']),
    );
    expect(Object.keys(properties), id).not.toContain('text');
  }
  await helve.close();
});

test('R-email: a former field name is still read by each tool that had it', async () => {
  expect((await definitionOf('smtp.send_smtp_email')).inputAliases).toEqual({ text: 'body' });
  expect((await definitionOf('email.send_email')).inputAliases).toEqual({ text: 'body' });
  expect((await definitionOf('google_gmail.get_gmail_message')).inputAliases).toEqual({ id: 'message_id' });
});

test('R-email: html is a boolean, or the HTML itself', () => {
  expect(readBodies({ body: 'a', html: false })).toEqual({ text: 'a', html: undefined });
  expect(readBodies({ body: '<b>a</b>', html: true })).toEqual({ text: undefined, html: '<b>a</b>' });
  expect(readBodies({ body: 'a', html: '<b>a</b>' })).toEqual({ text: 'a', html: '<b>a</b>' });
  expect(readBodies({ html: '<b>a</b>' })).toEqual({ text: undefined, html: '<b>a</b>' });
  expect(readBodies({ html: true })).toEqual({ text: undefined, html: undefined });
});

test('R-email: people are given in the same form everywhere, and a name cannot become another recipient', () => {
  expect(readPeople(undefined, true)).toBeUndefined();
  expect(readPeople('a@x.example', true)).toBe('a@x.example');
  expect(readPeople(['a@x.example', { email: 'b@x.example', name: 'Bo' }], false)).toEqual([
    'a@x.example',
    'b@x.example',
  ]);
  expect(readPeople({ email: 'b@x.example', name: 'Bo" <evil@x.example>, "' }, true)).toBe(
    String.raw`"Bo\" <evil@x.example>, \"" <b@x.example>`,
  );
});
