import { defineToolkit } from '../../domain/tool.js';
import { telegramAuth } from './auth.js';
import { telegramService } from './service.js';

export const telegram = defineToolkit({
  slug: 'telegram',
  title: 'Telegram',
  description: 'Messages to chats, groups and channels from a Telegram bot.',
  category: 'communication',
  auth: telegramAuth,
  service: telegramService,
  load: async () => [(await import('./tools/send-telegram-message.js')).sendTelegramMessage],
});
