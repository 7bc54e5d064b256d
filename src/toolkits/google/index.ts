/**
 * Two toolkits: Gmail alone, and Gmail with Sheets and Calendar on one account. Both have the same tool definitions;
 * the choice decides only which scopes the account is asked for.
 */
import { defineToolkit } from '../../domain/tool.js';
import { googleSchemes } from './auth.js';
import { gmailScopes, impliedScopes, workspaceScopes } from './scopes.js';
import { googleService, identifyGoogle } from './service.js';

const gmailServices = ['gmail', 'userinfo'] as const;
const workspaceServices = [...gmailServices, 'sheets', 'calendar', 'drive'] as const;

export const googleGmail = defineToolkit({
  slug: 'google_gmail',
  title: 'Gmail',
  description: 'Read, search, send, answer and label the mail of a Gmail account.',
  category: 'communication',
  auth: { schemes: googleSchemes(gmailScopes), identify: identifyGoogle, impliedScopes },
  service: googleService(gmailServices),
  load: async () => (await import('./gmail/tools/index.js')).gmailTools,
});

export const googleWorkspace = defineToolkit({
  slug: 'google_workspace',
  title: 'Google Workspace',
  description: 'Gmail, Sheets and Calendar of one Google account.',
  category: 'productivity',
  auth: { schemes: googleSchemes(workspaceScopes), identify: identifyGoogle, impliedScopes },
  service: googleService(workspaceServices),
  load: async () => [
    ...(await import('./gmail/tools/index.js')).gmailTools,
    ...(await import('./sheets/tools/index.js')).sheetsTools,
    ...(await import('./calendar/tools/index.js')).calendarTools,
  ],
});
