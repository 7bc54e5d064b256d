import { z } from 'zod';
import { effects } from '../../../../domain/effects.js';
import { defineTool } from '../../../../domain/tool.js';
import { computed, defineRecord, from, listFrom, orElse } from '../../../../util/record.js';
import { nextPageToken, pageToken } from '../../fields.js';
import { scopes } from '../../scopes.js';
import { common } from '../shared.js';

interface Owners {
  readonly owners?: readonly { readonly emailAddress?: string; readonly displayName?: string }[];
}

const fileRecord = defineRecord({
  id: z.string(),
  name: z.string().optional(),
  modified: from('modifiedTime', z.string().optional()),
  owner: computed(
    z.string().optional(),
    ({ owners: [first] = [] }: Owners) => first?.emailAddress ?? first?.displayName,
  ),
  url: from('webViewLink', z.string().optional()),
});

const pageRecord = defineRecord({
  spreadsheets: orElse(listFrom('files', fileRecord), []),
  next_page_token: from('nextPageToken', nextPageToken),
});

/** A string of Drive's query language. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

export const listSpreadsheets = defineTool({
  ...common,
  name: 'list_spreadsheets',
  title: 'List Google Sheets',
  description: 'List the spreadsheets that the account can open, last changed first.',
  inputSchema: z.strictObject({
    name_contains: z.string().min(1).max(200).optional(),
    max_results: z.int().min(1).max(100).default(20),
    page_token: pageToken,
  }),
  outputSchema: pageRecord.shape,
  annotations: effects.reads,
  scopes: [scopes.driveNames],
  capabilities: ['list spreadsheets', 'find spreadsheet'],
  examples: [{ input: { name_contains: 'Budget' } }],
  async execute(input, { service }) {
    const conditions = [
      "mimeType = 'application/vnd.google-apps.spreadsheet'",
      'trashed = false',
      ...(input.name_contains === undefined ? [] : [`name contains ${quoted(input.name_contains)}`]),
    ];
    const page = await service.json<object>({
      server: 'drive',
      path: '/drive/v3/files',
      query: {
        q: conditions.join(' and '),
        orderBy: 'modifiedTime desc',
        pageSize: input.max_results,
        pageToken: input.page_token,
        fields: 'nextPageToken,files(id,name,modifiedTime,webViewLink,owners(emailAddress,displayName))',
        supportsAllDrives: true,
        includeItemsFromAllDrives: true,
      },
    });
    return pageRecord.read(page);
  },
});
