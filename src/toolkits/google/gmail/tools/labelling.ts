/** The four tools that put labels on and take them off, each of one message or of all in a thread. */

import { z } from 'zod';
import { effects } from '../../../../domain/effects.js';
import { defineTool, type ToolDefinition } from '../../../../domain/tool.js';
import { scopes } from '../../scopes.js';
import { type GmailMessage, type GmailThread, mailbox } from '../api.js';
import { labelIds, labelNamesFor } from '../labels.js';
import { common, gmailId, labelsInput } from './shared.js';

const labelled = z.strictObject({
  id: z.string(),
  labels: z.array(z.string()).describe('Names of all labels that it has now'),
});

interface Kind {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly of: 'messages' | 'threads';
  readonly change: 'addLabelIds' | 'removeLabelIds';
  readonly capabilities: readonly string[];
}

function labelling({ of, change, ...facts }: Kind): ToolDefinition {
  const idField = of === 'messages' ? 'message_id' : 'thread_id';
  return defineTool({
    ...common,
    ...facts,
    inputSchema: z.strictObject({ [idField]: gmailId, labels: labelsInput }),
    outputSchema: labelled,
    annotations: effects.createsOnce,
    scopes: [scopes.gmailModify],
    examples: [{ input: { [idField]: '18c2f0a1b2c3d4e5', labels: ['Receipts'] } }],
    async execute(input, { service }) {
      const id = String(input[idField]);
      const ids = await labelIds(service, input.labels as string[], 'labels');
      const changed = await service.json<GmailMessage | GmailThread>({
        method: 'POST',
        path: `${mailbox}/${of}/${encodeURIComponent(id)}/modify`,
        json: { [change]: ids },
        // Labels are a set.
        repeatable: true,
      });
      const messages = 'messages' in changed ? (changed.messages ?? []) : [changed as GmailMessage];
      const names = await labelNamesFor(service, messages);
      const all = new Set(messages.flatMap((message) => message.labelIds ?? []));
      return { id: changed.id, labels: [...all].map((one) => names.get(one) ?? one) };
    },
  });
}

export const labelMessage = labelling({
  name: 'label_message',
  title: 'Label a Gmail message',
  description: 'Put labels on a message: STARRED, UNREAD, INBOX, or one that people made.',
  of: 'messages',
  change: 'addLabelIds',
  capabilities: ['label message', 'star message', 'mark message'],
});

export const unlabelMessage = labelling({
  name: 'unlabel_message',
  title: 'Unlabel a Gmail message',
  description: 'Take labels off a message: UNREAD marks it as read, INBOX archives it.',
  of: 'messages',
  change: 'removeLabelIds',
  capabilities: ['unlabel message', 'archive message', 'mark message'],
});

export const labelThread = labelling({
  name: 'label_thread',
  title: 'Label a Gmail thread',
  description: 'Put labels on all messages of a thread.',
  of: 'threads',
  change: 'addLabelIds',
  capabilities: ['label thread'],
});

export const unlabelThread = labelling({
  name: 'unlabel_thread',
  title: 'Unlabel a Gmail thread',
  description: 'Take labels off all messages of a thread: UNREAD marks it as read, INBOX archives it.',
  of: 'threads',
  change: 'removeLabelIds',
  capabilities: ['unlabel thread', 'archive thread'],
});
