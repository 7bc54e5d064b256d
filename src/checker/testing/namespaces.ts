/** Declarations as they are made of the tools of a session: services with enums, options, unions, nested objects and maps. */
import type { NamespaceDeclarations } from '../../domain/code.js';

function declare(namespace: string, tools: Readonly<Record<string, string>>, body: string): NamespaceDeclarations {
  return { namespace, tools, text: `declare namespace ${namespace} {\n${body}\n}` };
}

const github = declare(
  'github',
  {
    listIssues: 'github_list_issues',
    getIssue: 'github_get_issue',
    createIssue: 'github_create_issue',
    updateIssue: 'github_update_issue',
    addLabels: 'github_add_labels',
    createComment: 'github_create_comment',
    listPullRequests: 'github_list_pull_requests',
    mergePullRequest: 'github_merge_pull_request',
    getFile: 'github_get_file',
    listLabels: 'github_list_labels',
  },
  `
  interface User { login: string; id: number; type: 'User' | 'Bot' }
  interface Issue { number: number; title: string; body?: string; state: 'open' | 'closed'; labels: { name: string; color: string }[]; assignee: User | null; user: User; createdAt: string; updatedAt: string; comments: number }
  /** Issues of a repository. */
  function listIssues(input: { repo: string; state?: 'open' | 'closed' | 'all'; labels?: string[]; assignee?: string; sort?: 'created' | 'updated' | 'comments'; perPage?: number; page?: number }): Promise<{ issues: Issue[]; nextPage?: number }>;
  function getIssue(input: { repo: string; issue: number }): Promise<Issue>;
  /** @risk write */
  function createIssue(input: { repo: string; title: string; body?: string; labels?: string[]; assignees?: string[] }): Promise<Issue>;
  function updateIssue(input: { repo: string; issue: number; title?: string; state?: 'open' | 'closed'; stateReason?: 'completed' | 'not_planned' }): Promise<Issue>;
  function addLabels(input: { repo: string; issue: number; labels: string[] }): Promise<{ labels: string[] }>;
  function createComment(input: { repo: string; issue: number; body: string }): Promise<{ id: number; url: string }>;
  function listPullRequests(input: { repo: string; state?: 'open' | 'closed' | 'all'; base?: string }): Promise<{ pullRequests: { number: number; title: string; draft: boolean; head: { ref: string; sha: string }; mergeable: boolean | null }[] }>;
  function mergePullRequest(input: { repo: string; pullRequest: number; method: 'merge' | 'squash' | 'rebase' }): Promise<{ merged: boolean; sha?: string }>;
  function getFile(input: { repo: string; path: string; ref?: string }): Promise<{ kind: 'file'; content: string; encoding: 'utf-8' | 'base64' } | { kind: 'folder'; entries: { name: string; kind: 'file' | 'folder' }[] }>;
  function listLabels(input: { repo: string }): Promise<unknown>;`,
);

const mail = `
  interface Address { name?: string; email: string }
  interface Message { id: string; threadId: string; subject: string; from: Address; to: Address[]; date: string; snippet: string; labels: ('INBOX' | 'UNREAD' | 'STARRED' | 'SPAM')[]; headers: Record<string, string> }
  function searchMessages(input: { query: string; max?: number; pageToken?: string }): Promise<{ messages: Message[]; nextPageToken?: string }>;
  function getMessage(input: { id: string; format?: 'full' | 'metadata' }): Promise<Message & { body: { text?: string; html?: string }; attachments: { id: string; name: string; size: number }[] }>;
  function sendEmail(input: { to: string | string[]; subject: string; body: { text: string } | { html: string }; cc?: string[]; importance?: 'low' | 'normal' | 'high' }): Promise<{ id: string; threadId: string }>;
  function modifyLabels(input: { id: string; add?: string[]; remove?: string[] }): Promise<void>;`;
const mailTools = (prefix: string) => ({
  searchMessages: `${prefix}_search_messages`,
  getMessage: `${prefix}_get_message`,
  sendEmail: `${prefix}_send_email`,
  modifyLabels: `${prefix}_modify_labels`,
});

const slack = declare(
  'slack',
  {
    postMessage: 'slack_post_message',
    listChannels: 'slack_list_channels',
    getThread: 'slack_get_thread',
    addReaction: 'slack_add_reaction',
  },
  `
  type Block = { type: 'section'; text: { type: 'mrkdwn' | 'plain_text'; text: string } } | { type: 'divider' } | { type: 'header'; text: string };
  function postMessage(input: { channel: string; text: string; threadTs?: string; blocks?: Block[]; metadata?: { eventType: string; payload: Record<string, unknown> } }): Promise<{ ts: string; channel: string }>;
  function listChannels(input?: { types?: ('public' | 'private')[]; limit?: number }): Promise<{ channels: { id: string; name: string; memberCount: number; topic?: { value: string } }[] }>;
  function getThread(input: { channel: string; ts: string }): Promise<{ messages: { user: string; text: string; ts: string; reactions?: Record<string, number> }[] }>;
  function addReaction(input: { channel: string; ts: string; emoji: string }): Promise<void>;`,
);

const math = declare(
  'math',
  { calculate: 'calculate', convertUnits: 'convert_units', statistics: 'statistics' },
  `
  function calculate(input: { expression: string; precision?: number }): Promise<{ result: number; text: string }>;
  function convertUnits(input: { value: number; from: 'm' | 'km' | 'mi' | 'ft'; to: 'm' | 'km' | 'mi' | 'ft' }): Promise<{ value: number; unit: string }>;
  function statistics(input: { values: number[]; measures: ('mean' | 'median' | 'stdev')[] }): Promise<Record<string, number>>;`,
);

const files = declare(
  'files',
  { readFile: 'read_file', writeFile: 'write_file', listFiles: 'list_files', deleteFile: 'delete_file' },
  `
  function readFile(input: { path: string; encoding?: 'utf-8' | 'base64' }): Promise<{ content: string; size: number }>;
  function writeFile(input: { path: string; content: string; mode?: 'overwrite' | 'append' | 'create' }): Promise<{ bytes: number }>;
  function listFiles(input: { path: string; recursive?: boolean }): Promise<{ entries: { path: string; kind: 'file' | 'folder'; size?: number; modified: string }[] }>;
  /** Needs approval. @deprecated use trash */
  function deleteFile(input: { path: string }): Promise<void>;`,
);

export const namespaces: readonly NamespaceDeclarations[] = [
  github,
  declare('workGmail', mailTools('work-gmail'), mail),
  declare('personalGmail', mailTools('personal-gmail'), mail),
  slack,
  math,
  files,
];

export const known = [...namespaces.map(({ namespace }) => namespace), 'linear', 'stripe', 'calendar', 'notion'];
