/**
 * Every name that the five reference documents give a tool leads to one tool, through the name resolution of the pipeline.
 * The table is checked against the documents themselves if they are on this machine.
 */
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Provider } from '../../src/domain/provider.js';
import type { Toolkit } from '../../src/domain/tool.js';
import { createTestHelve, type TestHelve } from '../../src/testing/index.js';
import { testProviderTool } from '../../src/testing/provider-tool.js';

const folder = new URL('../../../shared/seeds/', import.meta.url).pathname;

/** By document: each name as it is written there, and the tool. A plain word is a tool of that name in the toolkit. */
const named: Record<string, Record<string, string>> = {
  'connection-tools.md': {
    ...ofToolkit('google_workspace', [
      'send_gmail_message',
      'list_gmail_messages',
      'get_gmail_message',
      'reply_gmail_message',
      'create_gmail_draft',
      'get_thread',
      'search_threads',
      'list_drafts',
      'list_labels',
      'label_message',
      'unlabel_message',
      'label_thread',
      'unlabel_thread',
      'list_spreadsheets',
      'get_spreadsheet',
      'read_spreadsheet_values',
      'write_spreadsheet_values',
      'append_spreadsheet_values',
      'list_calendar_events',
      'create_calendar_event',
      'update_calendar_event',
      'delete_calendar_event',
      'get_calendar_event',
      'list_calendars',
      'find_free_time',
      'respond_to_event',
    ]),
    send_telegram_message: 'telegram.send_telegram_message',
    send_smtp_email: 'smtp.send_smtp_email',
    'work-gmail__send_gmail_message': 'google_workspace.send_gmail_message',
    'work-gmail__list_calendar_events': 'google_workspace.list_calendar_events',
    'personal-gmail__send_gmail_message': 'google_workspace.send_gmail_message',
    'my-bot-token__send_telegram_message': 'telegram.send_telegram_message',
  },
  'composio-integration-design.md': {
    'github.createBranch': 'github.create_branch',
    'github.createPullRequest': 'github.create_pull_request',
    'github.createIssue': 'github.create_issue',
    'GitHub.createPullRequest': 'github.create_pull_request',
    'linear.createIssue': 'linear.create_issue',
    'linear.updateStatus': 'linear.update_issue_status',
    'slack.postMessage': 'slack.post_message',
    'slack.createChannel': 'slack.create_channel',
    'stripe.createCustomer': 'stripe.create_customer',
    'stripe.listInvoices': 'stripe.list_invoices',
    'browser.fetchPage': 'browser.fetch_page',
    'browser.screenshot': 'browser.take_screenshot',
    'search.web': 'web_search.web_search',
    'search.images': 'web_search.image_search',
    'file.read': 'files.read_file',
    'file.write': 'files.write_file',
    'file.list': 'files.list_dir',
    'code.execute': 'code.execute_code',
    'code.installPackage': 'code.install_package',
  },
  'native-tools.md': {
    calculate: 'math.calculate',
    fetch_url: 'http.fetch_url',
    run_command: 'shell.run_command',
    web_search: 'web_search.web_search',
    send_email: 'email.send_email',
    webhook: 'webhook.webhook',
    ...ofToolkit('files', ['read_file', 'write_file', 'list_dir']),
    ...ofToolkit('key_value', ['key_value_get', 'key_value_set', 'key_value_delete']),
    ...ofToolkit('librarian', ['librarian_store', 'librarian_get', 'librarian_query', 'librarian_search']),
  },
  'composio-tools-service.md': {
    'composio-gmail_send_email': 'gmail.send_email',
    GMAIL_SEND_EMAIL: 'gmail.send_email',
  },
  'tools-and-integrations.txt': {
    ...ofToolkit('knowledge', ['search_knowledge', 'semantic_search', 'search_codebase', 'search_tables']),
    ...ofToolkit('knowledge', ['search_images', 'search_formulas', 'search_multimodal']),
    ...ofToolkit('database', ['query_database', 'smart_query_database']),
    ...ofToolkit('files', ['read_file', 'write_file', 'create_directory', 'delete_file']),
    list_directory: 'files.list_dir',
    execute_command: 'shell.run_command',
    http_request: 'http.fetch_url',
    ssh_execute: 'ssh.run_ssh_command',
    create_pdf: 'documents.create_document',
    create_docx: 'documents.create_document',
    create_xlsx: 'documents.create_document',
    create_pptx: 'documents.create_document',
    GITHUB_CREATE_ISSUE: 'github.create_issue',
    SLACK_SEND_MESSAGE: 'slack.send_message',
    SLACK_CREATE_CHANNEL_BASED_CONVERSATION: 'slack.create_channel_based_conversation',
  },
};

function ofToolkit(toolkit: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `${toolkit}.${name}`]));
}

/** How each document marks its tools. */
const marks: Record<string, RegExp> = {
  'connection-tools.md': /^([a-z]+_[a-z_]+) \| (?!UUID|JSONB)|\b([a-z-]+__[a-z_]+?)(?= |$|The)/gm,
  'composio-integration-design.md':
    /\b((?:github|GitHub|linear|slack|stripe|browser|code|search|file)\.(?!(?:ts|io|com)\b)[a-z]+[A-Za-z]*)\b/g,
  'native-tools.md': /^Tool: (\w+)$/gm,
  'composio-tools-service.md': /"(composio-\w+)"|"([A-Z]+_[A-Z_]+)"/g,
  'tools-and-integrations.txt': /\b([A-Z]+_(?:SEND|CREATE)_[A-Z_]+)\b/g,
};

const composio = (): Provider => {
  const kits = { gmail: ['send_email'], slack: ['send_message', 'create_channel_based_conversation'] };
  const kit = (slug: string): Toolkit => ({
    slug,
    title: slug,
    description: slug,
    category: 'test',
    provider: 'composio',
    needsConnection: false,
    internal: false,
  });
  return {
    kind: 'composio',
    toolkits: async () => Object.keys(kits).map(kit),
    tools: async (toolkit) =>
      (kits[toolkit as keyof typeof kits] ?? []).map((name) =>
        testProviderTool({ toolkit, name }, { provider: 'composio', risk: 'read', hasEffects: false }),
      ),
    execute: async () => ({ output: null }),
    close: async () => undefined,
  };
};

const accounts = [
  ['github', 'Code', 'token', { token: 'ghp_0123456789abcdefghijABCDEFGHIJ012345' }],
  ['linear', 'Plans', 'api_key', { key: `lin_api_${'a'.repeat(40)}` }],
  ['slack', 'Chat', 'bot_token', { token: `xoxb-${'1'.repeat(12)}-${'a'.repeat(24)}` }],
  ['stripe', 'Money', 'api_key', { key: `sk_test_${'a'.repeat(24)}` }],
  ['telegram', 'My Bot Token', 'bot_token', { token: `123456:${'a'.repeat(35)}` }],
] as const;

let helve: TestHelve;
let idOf: (name: string) => Promise<string>;
beforeAll(async () => {
  helve = await createTestHelve({ providers: [composio()] });
  const { plane, admin } = helve;
  for (const [toolkit, name, scheme, credentials] of accounts) {
    const { id } = await plane.addConnection(admin, { toolkit, name, scheme });
    await plane.connect(admin, id, { credentials, check: false });
  }
  // For these two, only the existence of their tools is checked.
  await plane.addConnection(admin, { toolkit: 'google_workspace', name: 'Work Gmail' });
  await plane.addConnection(admin, { toolkit: 'google_workspace', name: 'Personal Gmail' });
  await plane.addConnection(admin, { toolkit: 'smtp', name: 'Post' });
  idOf = async (name) => {
    // The input fits nothing, so every tool is refused by its schema, and the record shows which tool was meant.
    const result = await helve.execute({ principal: admin, tool: name, input: { nothing_has_this: 1 } });
    const [row] = await plane.audit(admin, { executionId: result.executionId, limit: 1 });
    return row?.tool ?? '';
  };
}, 60_000);
afterAll(() => helve?.close());

test.each(Object.entries(named))('R-registry: every name in %s leads to its tool', async (document, names) => {
  for (const [name, tool] of Object.entries(names)) {
    // That document's tools are under the slug of their account; other toolkits' tools of the same name are not.
    const isGoogle = document === 'connection-tools.md' && tool.startsWith('google') && !name.includes('__');
    const found = await idOf(isGoogle ? `work-gmail__${name}` : name);
    const meant = tool.replace('.', '').replaceAll('_', '').toLowerCase();
    const read = found.replace('.', '').replaceAll('_', '').toLowerCase();
    expect(read, name).toBe(meant);
  }
});

test.each(Object.keys(marks))('R-registry: no name in %s is missing from the table', (document) => {
  if (!existsSync(folder)) return;
  const text = readFileSync(folder + document, 'utf8');
  const found = [...text.matchAll(marks[document] ?? /$^/g)].map((match) => match.slice(1).find(Boolean) ?? '');
  expect(found.length).toBeGreaterThan(1);
  expect([...new Set(found)].filter((name) => !Object.hasOwn(named[document] ?? {}, name))).toEqual([]);
});
