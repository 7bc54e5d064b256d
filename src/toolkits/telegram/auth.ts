/** Signing in to Telegram: with a bot's token from BotFather, which is part of the path of every request. */
import type { Account, ToolkitAuth } from '../../domain/connection.js';
import type { ServiceClient } from '../../domain/service.js';
import { defined } from '../../util/defined.js';

export const telegramAuth: ToolkitAuth = {
  schemes: [
    {
      id: 'bot_token',
      kind: 'bot_token',
      title: 'Bot token',
      fields: [
        {
          name: 'token',
          title: 'Token',
          description: 'From @BotFather: 123456789:AA…',
          secret: true,
          pattern: '^\\d{1,20}:[A-Za-z0-9_-]{30,100}$',
        },
      ],
      placement: [{ in: 'path', value: '/bot{token}' }],
    },
  ],
  identify,
};

interface RawBot {
  readonly result: { readonly id: number; readonly username?: string; readonly first_name?: string };
}

async function identify(service: ServiceClient): Promise<Account> {
  const { result } = await service.json<RawBot>({ path: '/getMe' });
  const name = result.username === undefined ? result.first_name : `@${result.username}`;
  return { id: String(result.id), ...defined({ name }) };
}
