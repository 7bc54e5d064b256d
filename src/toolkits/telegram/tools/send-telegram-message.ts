import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import type { ServiceClient } from '../../../domain/service.js';
import { defineTool } from '../../../domain/tool.js';
import { telegramSettings } from '../settings.js';
import { mostCharacters, splitText } from '../split.js';

const input = z.strictObject({
  chat_id: z
    .union([z.int(), z.string().regex(/^(?:@[A-Za-z][A-Za-z0-9_]{3,31}|-?\d{1,16})$/)])
    .describe('Number of the chat, or @username of a public group or channel'),
  text: z.string().min(1).max(100_000).describe('At most 4096 characters, unless split'),
  split: z.boolean().optional().describe('Send a longer text as several messages, in order. Not with parse_mode'),
  parse_mode: z.enum(['MarkdownV2', 'HTML']).optional().describe('Absent: the text is sent unchanged'),
  reply_to_message_id: z.int().min(1).optional().describe('Message of this chat to reply to'),
  silent: z.boolean().optional().describe('Without a sound'),
  link_preview: z.boolean().optional().describe('false: no preview of links. Default true'),
});

type Input = z.infer<typeof input>;

interface RawMessage {
  readonly result: { readonly message_id: number; readonly chat?: { readonly id?: number | null } };
}

export const sendTelegramMessage = defineTool({
  name: 'send_telegram_message',
  title: 'Send a Telegram message',
  description: 'Send a text from the bot to a chat, group or channel.',
  inputSchema: input,
  outputSchema: z.strictObject({
    message_ids: z.array(z.int()).describe('In the order of the text'),
    parts: z.int().describe('How many messages it became'),
    chat_id: z.int().optional(),
  }),
  settingsSchema: telegramSettings,
  annotations: effects.creates,
  idempotency: { by: 'ask', how: 'A bot of Telegram cannot read what it sent, and Telegram takes no idempotency key' },
  capabilities: ['send message', 'send telegram message'],
  examples: [{ input: { chat_id: '@team_channel', text: 'The report is ready.' } }],
  // For a long text, Telegram may demand a wait between the parts.
  timeoutMs: 120_000,
  async execute(wanted, { service }) {
    const texts = listTexts(wanted);
    const sent: RawMessage['result'][] = [];
    for (const [index, text] of texts.entries()) {
      try {
        // Only the first message is a reply.
        sent.push(await sendOne(service, index === 0 ? wanted : { ...wanted, reply_to_message_id: undefined }, text));
      } catch (error) {
        throw index === 0 ? error : stoppedAfter(sent, texts, error);
      }
    }
    const chat = sent[0]?.chat?.id;
    return {
      message_ids: sent.map(({ message_id }) => message_id),
      parts: sent.length,
      chat_id: typeof chat === 'number' ? chat : undefined,
    };
  },
});

function listTexts({ text, split, parse_mode }: Input): readonly string[] {
  const refuse = (message: string, hint: string) => new HelveError('invalid_input', message, { hint });
  // Telegram counts characters without the markup, so it must judge whether a marked text is too long.
  if (parse_mode !== undefined) {
    if (split === true)
      throw refuse('split does not go with parse_mode: a mark could be cut', 'Send the parts one by one.');
    return [text];
  }
  const texts = splitText(text);
  if (texts.length === 0)
    throw refuse('text: there is nothing but white space', 'Send at least one visible character.');
  if (texts.length > 1 && split !== true) {
    throw refuse(
      `text: it has ${text.length} characters, and a message at most ${mostCharacters}`,
      `Shorten it, or send split: true for ${texts.length} messages.`,
    );
  }
  return texts;
}

async function sendOne(service: ServiceClient, wanted: Input, text: string): Promise<RawMessage['result']> {
  const { chat_id, parse_mode, reply_to_message_id, silent, link_preview } = wanted;
  // Every version of the Bot API server understands the older names of the last two.
  const json = {
    chat_id,
    text,
    parse_mode,
    reply_to_message_id,
    disable_notification: silent,
    disable_web_page_preview: link_preview === undefined ? undefined : !link_preview,
  };
  return (await service.json<RawMessage>({ method: 'POST', path: '/sendMessage', json })).result;
}

/** Some parts have arrived, so the whole call must not be repeated. */
function stoppedAfter(sent: readonly RawMessage['result'][], texts: readonly string[], cause: unknown): HelveError {
  const { code, message } = cause instanceof HelveError ? cause : { code: 'tool_failed', message: String(cause) };
  return new HelveError(
    code === 'outcome_unknown' ? code : 'tool_failed',
    `${sent.length} of ${texts.length} messages were sent; then: ${message}`,
    {
      hint: 'Do not send the whole text again: send only the missing part.',
      details: { message_ids: sent.map(({ message_id }) => message_id), reason: code, next_text: texts[sent.length] },
      cause,
    },
  );
}
