/** Four tools: add or remove labels, of one message or of all messages of a thread. */
import { z } from 'zod';
import { effects } from '../../../../domain/effects.js';
import { defineTool, type ToolDefinition } from '../../../../domain/tool.js';
import { scopes } from '../../scopes.js';
import { type GmailMessage, type GmailThread, mailbox } from '../api.js';
import { fetchLabelNames, findLabelIds, nameLabels } from '../labels.js';
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

function defineLabelling({ of, change, ...facts }: Kind): ToolDefinition {
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
      const ids = await findLabelIds(service, input.labels as string[], 'labels');
      const changed = await service.json<GmailMessage | GmailThread>({
        method: 'POST',
        path: `${mailbox}/${of}/${encodeURIComponent(id)}/modify`,
        json: { [change]: ids },
        // Adding or removing a label twice has no further effect.
        repeatable: true,
      });
      const messages = 'messages' in changed ? (changed.messages ?? []) : [changed as GmailMessage];
      return { id: changed.id, labels: nameLabels(messages, await fetchLabelNames(service, messages)) };
    },
  });
}

export const labelMessage = defineLabelling({
  name: 'label_message',
  title: 'Label a Gmail message',
  description: 'Put labels on a message: STARRED, UNREAD, INBOX, or one that people made.',
  of: 'messages',
  change: 'addLabelIds',
  capabilities: ['label message', 'star message', 'mark message'],
});

export const unlabelMessage = defineLabelling({
  name: 'unlabel_message',
  title: 'Unlabel a Gmail message',
  description: 'Take labels off a message: UNREAD marks it as read, INBOX archives it.',
  of: 'messages',
  change: 'removeLabelIds',
  capabilities: ['unlabel message', 'archive message', 'mark message'],
});

export const labelThread = defineLabelling({
  name: 'label_thread',
  title: 'Label a Gmail thread',
  description: 'Put labels on all messages of a thread.',
  of: 'threads',
  change: 'addLabelIds',
  capabilities: ['label thread'],
});

export const unlabelThread = defineLabelling({
  name: 'unlabel_thread',
  title: 'Unlabel a Gmail thread',
  description: 'Take labels off all messages of a thread: UNREAD marks it as read, INBOX archives it.',
  of: 'threads',
  change: 'removeLabelIds',
  capabilities: ['unlabel thread', 'archive thread'],
});
