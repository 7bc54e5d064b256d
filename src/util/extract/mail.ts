/** Reads a message as mail programs save it: who wrote to whom and when, its text, and what is attached. */
import { parseMail, readBody, readHeader } from '../mail/reading/index.js';
import { addParagraph, finish, newBuilder, tidy } from './build.js';
import type { Extracted } from './elements.js';
import { addInline } from './inline.js';

export async function extractMail(bytes: Uint8Array): Promise<Extracted> {
  const message = parseMail(bytes);
  const builder = newBuilder();
  const subject = tidy(readHeader(message, 'Subject') ?? '');
  if (subject !== '') builder.heading = [subject.slice(0, 300)];
  for (const name of ['Subject', 'From', 'To', 'Cc', 'Date']) {
    const value = tidy(readHeader(message, name) ?? '');
    if (value !== '') addParagraph(builder, `${name}: ${value}`);
  }
  const { text, attachments } = await readBody(message, async () => '');
  for (const paragraph of text.split(/\n\s*\n/)) addInline(builder, paragraph, undefined, 'html');
  for (const { name, type, size } of attachments)
    addParagraph(builder, `Attachment: ${tidy(name)} (${type}, ${size} bytes)`);
  if (attachments.length > 0) builder.notes.push('What is attached to the message is not read.');
  return finish(builder);
}
