/** The address of Telegram's Bot API, and the translation of its errors into ours. */
import type { Explained, ServiceDefinition, ServiceResponse } from '../../domain/service.js';
import { defined } from '../../util/defined.js';
import { chooseServer } from '../../util/service-address.js';

export const telegramService: ServiceDefinition = {
  servers: ({ base_url }) => ({ default: chooseServer(base_url, 'https://api.telegram.org') }),
  headers: { accept: 'application/json' },
  explain,
};

interface RawRefusal {
  readonly ok: false;
  readonly error_code?: number;
  readonly description?: string;
  readonly parameters?: { readonly retry_after?: number; readonly migrate_to_chat_id?: number };
}

function explain(response: ServiceResponse): Explained | undefined {
  const refusal = readRefusal(response);
  if (refusal === undefined) return undefined;
  const { error_code: status = response.status, description = `status ${status}`, parameters = {} } = refusal;
  const message = `Telegram refused: ${description.slice(0, 1_000)}`;
  const details = { status, ...parameters };
  // With an unknown token, Telegram answers that the address does not exist.
  if (status === 401 || status === 404) return { message, details, code: 'forbidden', tokenRefused: true };
  if (status === 429) {
    const { retry_after } = parameters;
    return {
      message,
      details,
      code: 'rate_limited',
      ...defined({ retryAfterSeconds: retry_after }),
    };
  }
  if (status >= 500) return { message, details, code: 'upstream_failed' };
  if (parameters.migrate_to_chat_id !== undefined) {
    return {
      message,
      details,
      code: 'conflict',
      hint: `Send to chat_id ${parameters.migrate_to_chat_id} from now on.`,
    };
  }
  const meaning = meanings.find(([pattern]) => pattern.test(description))?.[1];
  return { message, details, code: status === 403 ? 'forbidden' : 'invalid_input', ...meaning };
}

type Meaning = readonly [pattern: RegExp, meaning: Pick<Explained, 'code' | 'hint'>];

const meanings: readonly Meaning[] = [
  [
    /can't parse entities/i,
    {
      hint: 'The formatting is not valid for this parse_mode: escape _*[]()~`>#+-=|{}.! for MarkdownV2, or < > & for HTML; or leave parse_mode out to send the text unchanged.',
    },
  ],
  [
    /chat not found/i,
    {
      code: 'not_found',
      hint: 'A person must have written to the bot first, and a group or channel must have it as a member. A @username works for public ones only.',
    },
  ],
  [
    /message is too long/i,
    { hint: 'At most 4096 characters; with split: true and no parse_mode it is sent in parts.' },
  ],
  [/repl(?:y|ied).*not found/i, { hint: 'The message to answer is not in this chat. Leave reply_to_message_id out.' }],
  [/bot was (?:blocked|kicked)/i, { hint: 'Only people in that chat can add the bot again.' }],
  [
    /not enough rights|have no rights/i,
    { code: 'forbidden', hint: 'An administrator there must allow the bot to write.' },
  ],
];

function readRefusal(response: ServiceResponse): RawRefusal | undefined {
  try {
    const body = JSON.parse(response.text()) as { readonly ok?: unknown } | null;
    return body?.ok === false ? (body as RawRefusal) : undefined;
  } catch {
    // A proxy's page: only the status is known.
    return undefined;
  }
}
