import { defineToolkit } from '../../domain/tool.js';

export const email = defineToolkit({
  slug: 'email',
  title: 'Email',
  description: 'Mail over SMTP to allow-listed recipients.',
  category: 'communication',
  load: async () => [(await import('./tools/send-email.js')).sendEmail],
});
