/** Mail fields have the same names in every toolkit, and former names are still read. */
import { expect, test } from 'vitest';
import { createTestHelve } from '../../testing/index.js';
import { nativeToolkits } from '../../toolkits/index.js';
import { readBodies } from './message.js';

const sending = ['email.send_email', 'smtp.send_smtp_email', 'google_gmail.send_gmail_message'];

async function findDefinition(id: string) {
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
  expect((await findDefinition('smtp.send_smtp_email')).inputAliases).toEqual({ text: 'body' });
  expect((await findDefinition('email.send_email')).inputAliases).toEqual({ text: 'body' });
  expect((await findDefinition('google_gmail.get_gmail_message')).inputAliases).toEqual({ id: 'message_id' });
});

test('R-email: html is a boolean, or the HTML itself', () => {
  expect(readBodies({ body: 'a', html: false })).toEqual({ text: 'a', html: undefined });
  expect(readBodies({ body: '<b>a</b>', html: true })).toEqual({ text: undefined, html: '<b>a</b>' });
  expect(readBodies({ body: 'a', html: '<b>a</b>' })).toEqual({ text: 'a', html: '<b>a</b>' });
  expect(readBodies({ html: '<b>a</b>' })).toEqual({ text: undefined, html: '<b>a</b>' });
  expect(readBodies({ html: true })).toEqual({ text: undefined, html: undefined });
});
