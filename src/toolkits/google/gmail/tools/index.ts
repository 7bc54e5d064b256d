/** The tools of Gmail. */
import type { ToolDefinition } from '../../../../domain/tool.js';
import { createGmailDraft } from './create-gmail-draft.js';
import { getGmailAttachment } from './get-gmail-attachment.js';
import { getGmailMessage } from './get-gmail-message.js';
import { getThread } from './get-thread.js';
import { labelMessage, labelThread, unlabelMessage, unlabelThread } from './labelling.js';
import { listDrafts } from './list-drafts.js';
import { listGmailMessages } from './list-gmail-messages.js';
import { listLabels } from './list-labels.js';
import { replyGmailMessage } from './reply-gmail-message.js';
import { searchThreads } from './search-threads.js';
import { sendGmailMessage } from './send-gmail-message.js';

export const gmailTools: readonly ToolDefinition[] = [
  sendGmailMessage,
  listGmailMessages,
  getGmailMessage,
  getGmailAttachment,
  replyGmailMessage,
  createGmailDraft,
  getThread,
  searchThreads,
  listDrafts,
  listLabels,
  labelMessage,
  unlabelMessage,
  labelThread,
  unlabelThread,
];
