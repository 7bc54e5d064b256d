import { defineToolkit } from '../../domain/tool.js';
import { smtpAuth } from './auth.js';

export const smtp = defineToolkit({
  slug: 'smtp',
  title: 'SMTP',
  description: 'Mail from a mailbox of any provider that speaks SMTP.',
  category: 'communication',
  auth: smtpAuth,
  load: async () => [(await import('./tools/send-smtp-email.js')).sendSmtpEmail],
});
