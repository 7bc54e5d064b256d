import { z } from 'zod';
import { effects } from '../../../../domain/effects.js';
import { defineTool } from '../../../../domain/tool.js';
import { scopes } from '../../scopes.js';
import { fetchLabels } from '../labels.js';
import { common } from './shared.js';

export const listLabels = defineTool({
  ...common,
  name: 'list_labels',
  title: 'List Gmail labels',
  description: "List all labels: Gmail's own (INBOX, UNREAD, STARRED …) and those that people made.",
  inputSchema: z.strictObject({}),
  outputSchema: z.strictObject({
    labels: z.array(z.strictObject({ id: z.string(), name: z.string(), type: z.string().describe('system or user') })),
  }),
  annotations: effects.reads,
  scopes: [scopes.gmailRead],
  capabilities: ['list labels'],
  examples: [{ input: {} }],
  async execute(_input, { service }) {
    const labels = await fetchLabels(service);
    return { labels: labels.map(({ id, name, type = 'user' }) => ({ id, name, type })) };
  },
});
