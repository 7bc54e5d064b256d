import { z } from 'zod';
import { effects } from '../../../../domain/effects.js';
import { defineTool } from '../../../../domain/tool.js';
import { defined } from '../../../../util/defined.js';
import { scopes } from '../../scopes.js';
import { common } from '../shared.js';

interface Answer {
  readonly files?: readonly {
    readonly id: string;
    readonly name?: string;
    readonly modifiedTime?: string;
    readonly webViewLink?: string;
    readonly owners?: readonly { readonly emailAddress?: string; readonly displayName?: string }[];
  }[];
  readonly nextPageToken?: string;
}

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
    page_token: z.string().max(2_000).optional().describe('next_page_token of the page before'),
  }),
  outputSchema: z.strictObject({
    spreadsheets: z.array(
      z.strictObject({
        id: z.string(),
        name: z.string().optional(),
        modified: z.string().optional(),
        owner: z.string().optional(),
        url: z.string().optional(),
      }),
    ),
    next_page_token: z.string().optional().describe('Absent on the last page'),
  }),
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
    const { files = [], nextPageToken } = await service.json<Answer>({
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
    return {
      spreadsheets: files.map(({ id, name, modifiedTime, webViewLink, owners }) =>
        defined({
          id,
          name,
          modified: modifiedTime,
          owner: owners?.[0]?.emailAddress ?? owners?.[0]?.displayName,
          url: webViewLink,
        }),
      ),
      ...defined({ next_page_token: nextPageToken }),
    };
  },
});
