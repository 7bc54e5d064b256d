/**
 * Two workspaces in one installation whose rows collide as far as possible: the same ids, slugs and names, written through
 * storage because the API does not accept ids. Each also has a twin of every row under an id that only it knows.
 * Every text of B's rows contains `canary`, so that any output of it has leaked something of B.
 */
import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import pg from 'pg';
import { seal } from '../../../src/audit/index.js';
import type { JsonObject } from '../../../src/domain/json.js';
import { agentPermissions, allPermissions, type Principal } from '../../../src/domain/principal.js';
import type { ConfigurationTables, Storage } from '../../../src/domain/storage.js';
import type { TaskSource } from '../../../src/domain/task-source.js';
import { defineToolkit } from '../../../src/domain/tool.js';
import { createHelve, type Helve } from '../../../src/helve.js';
import { openStorage } from '../../../src/storage/index.js';
import { machines } from '../../../src/tasks/index.js';
import { testTool } from '../../../src/testing/index.js';
import { nativeToolkits } from '../../../src/toolkits/index.js';
import { newSecret, sha256 } from '../../../src/util/hash.js';

export const canary = 'CANARY-OF-B-7f3a';
export const names = ['a', 'b'] as const;
export type Name = (typeof names)[number];

/** `shared`: the same id in both workspaces. `own`: an id that only that workspace has. */
export const idsOf = (name: Name) => ({ shared: 'same', own: `only-${name}` });

export interface Keys {
  readonly agent: string;
  readonly api_key: string;
  readonly session: string;
}

export interface TwoWorkspaces {
  readonly helve: Helve;
  readonly principals: Readonly<Record<Name, Readonly<Record<keyof Keys, Principal>>>>;
  readonly secrets: Readonly<Record<Name, Keys>>;
  /** Every row of the workspace, of every table, and every file, link and folder, as bytes. */
  rowsOf(name: Name): Promise<string>;
  /** The folder of the workspace's files, from the root of the machine. */
  filesOf(name: Name): string;
  close(): Promise<void>;
}

const far = '2099-01-01T00:00:00.000Z';
const early = '2026-01-01T00:00:00.000Z';
export const workspaceId = (name: Name): string => `workspace-${name}`;

/** A tool that ends when its call is cancelled, and one that a person must approve. */
export const extraTools = [
  testTool({
    name: 'wait',
    execute: (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('ended'))),
  }),
  testTool({ name: 'guarded', highRisk: true }),
];

/** The grants of each agent need the names, and a plane loads them anyway. */
async function grantedTools() {
  const own = { toolkit: 'custom', tools: ['wait', 'guarded'] };
  const bundled = nativeToolkits.map(async ({ slug, load }) => ({
    toolkit: slug,
    tools: (await load()).filter(({ intrinsic }) => !intrinsic).map(({ name }) => name),
  }));
  return [own, ...(await Promise.all(bundled)).filter(({ tools }) => tools.length > 0)];
}

async function plant(storage: Storage, name: Name, secrets: Keys): Promise<void> {
  const text = name === 'b' ? canary : 'alpha';
  const workspace = storage.workspace(workspaceId(name));
  const actor = { kind: 'agent', id: 'same', name: `scout ${text}` } as const;
  const row = { at: early, actor, body: { note: text } };
  await storage.system.createWorkspace(
    { id: workspaceId(name), slug: `slug-${name}`, name: `Same name ${text}`, createdAt: early },
    [{ ...row, type: 'workspace.created' }],
  );
  const { shared, own } = idsOf(name);
  const granted = await grantedTools();
  await workspace.change([{ ...row, type: 'agent.created' }], async (tables) => {
    await tables.insertUser({ id: 'user', name: `admin ${text}`, role: 'admin', status: 'active', createdAt: early });
    // The caller; its id and slug are B's too. The others act on `same` and `only-…`.
    for (const [id, slug] of [
      ['caller', 'caller'],
      [shared, 'scout'],
      [own, `scout-${name}`],
    ] as const) {
      await tables.insertAgent({ id, slug, name: `Agent ${text}`, createdAt: early, managedBy: 'api' });
      await tables.replaceGrants(
        id,
        granted.map((grant) => ({ ...grant, limits: {}, config: {} })),
      );
    }
    const held = { name: `credential ${text}`, prefix: `helve_${text.slice(0, 9)}`, createdAt: early };
    const kinds = { agent: 'agent_token', api_key: 'api_key', session: 'session' } as const;
    for (const kind of ['agent', 'api_key', 'session'] as const) {
      const permissions = kind === 'agent' ? agentPermissions : allPermissions;
      const principalId = { agent: 'caller', api_key: 'key', session: 'user' }[kind];
      const id = kind === 'api_key' ? 'key' : `credential-${kind}`;
      const hash = sha256(secrets[kind]);
      // A session that was unused since then would end at its first use.
      const used = kind === 'session' ? { lastUsedAt: new Date().toISOString() } : {};
      await tables.insertCredential({ ...held, ...used, id, kind: kinds[kind], principalId, hash, permissions });
    }
    for (const id of [shared, own]) {
      const hash = sha256(`${name}${id}`);
      await tables.insertCredential({ ...held, id, kind: 'agent_token', principalId: id, hash, permissions: [] });
    }
    const when = { tools: [`nothing-${text}`] };
    const deleting = ['delete_file', 'librarian_delete', 'remove_knowledge'];
    await tables.replacePolicies([
      { id: 'policy', effect: 'deny', when, reason: `because ${text}` },
      // Otherwise they are denied before they reach anything of B.
      { id: 'deleting', effect: 'allow', when: { tools: deleting } },
    ]);
    await plantAccounts(tables, name, text);
    await tables.putToolkitSetting({ toolkit: 'custom', enabled: true, enabledTools: ['wait', 'guarded'] });
  });
  await plantRecords(storage, name, text);
}

async function plantAccounts(tables: ConfigurationTables, name: Name, text: string): Promise<void> {
  const { shared, own } = idsOf(name);
  for (const [id, slug] of [
    [shared, 'account'],
    [own, `account-${name}`],
  ] as const) {
    await tables.insertConnection({
      id,
      slug,
      toolkit: accountToolkit.slug,
      name: `Account ${text}`,
      status: 'active',
      visibility: 'workspace',
      ownerId: 'user',
      scheme: 'token',
      settings: { region: text },
      createdAt: early,
      connectedAt: early,
      account: { id: text, email: `${text}@example.com` },
    });
    await tables.putSecret(`connection:${id}`, { sealed: `v1.gone.${text}.x`, keyId: 'gone' }, early);
  }
  await tables.putAuthConfig({ provider: 'google', clientId: text, overrides: { issuer: text }, updatedAt: early });
  await tables.putPins([
    { toolkit: 'changing', tool: shared, hash: text, text: `{"name":"${text}"}`, pinnedAt: early },
  ]);
}

/** A toolkit that acts with an account; its service does not exist. */
export const accountToolkit = defineToolkit({
  slug: 'accounts',
  title: 'Accounts',
  description: 'Acts with an account',
  category: 'custom',
  auth: {
    schemes: [
      { id: 'token', kind: 'api_key', title: 'Token', fields: [{ name: 'token', title: 'Token', secret: true }] },
      { id: 'oauth2', kind: 'oauth2', title: 'Sign in', provider: 'google' },
    ],
  },
  service: { servers: () => ({ default: { url: 'https://service.invalid' } }) },
  load: async () => [
    testTool({ name: 'ask_account', execute: async (_, { connection }) => ({ account: connection.account ?? null }) }),
  ],
});

async function plantRecords(storage: Storage, name: Name, text: string): Promise<void> {
  const workspace = storage.workspace(workspaceId(name));
  const principal = { kind: 'agent', id: 'caller', name: `caller ${text}` } as const;
  for (const id of Object.values(idsOf(name))) {
    const asked = {
      type: 'approval.requested',
      at: early,
      actor: principal,
      body: { approvalId: id, note: text },
    } as const;
    await workspace.approvals.request(
      {
        id,
        binding: `binding-${id}`,
        status: 'pending',
        principal,
        toolkit: 'custom',
        tool: 'guarded',
        arguments: { secret: text },
        policyVersion: 2,
        rule: 'default.high_risk',
        reason: `asked ${text}`,
        requestedAt: early,
        expiresAt: far,
        elicitation: true,
      },
      [asked],
    );
    await plantRun(workspace, id, { name, text });
    await plantIssue(workspace, id, { name, text });
    const value = { text: `${text} `.repeat(50) };
    const made = { handle: id, executionId: id, caller: 'caller', toolkit: 'math', tool: 'calculate' };
    await workspace.results.put({ ...made, value, expiresAt: far });
    await workspace.keyValues.set('own:agent:caller', id, text, undefined);
    await workspace.keyValues.set('own:api_key:key', id, text, undefined);
    await workspace.keyValues.set('own:user:user', id, text, undefined);
    await workspace.keyValues.set('shared:common', id, text, undefined);
    const call = { at: early, actor: principal, executionId: id, tool: 'Math.calculate' };
    await storage.commit([
      {
        workspaceId: workspaceId(name),
        events: [
          { ...call, type: 'execution.started', body: { rule: text, input: { expression: text } } },
          { ...call, type: 'execution.finished', body: { status: 'ok', output: text } },
        ],
      },
    ]);
  }
}

/** An issue without an agent, with a comment, and the places of tasks and a tool config of the same id. */
async function plantIssue(
  workspace: ReturnType<Storage['workspace']>,
  id: string,
  { name, text }: { readonly name: Name; readonly text: string },
): Promise<void> {
  const snapshot = machines.issue.initial({ id });
  const context = { ...snapshot.context, lastError: { code: null, message: text } };
  await workspace.actors.insert({ kind: 'issue', id }, { ...snapshot, context });
  const rule = { label: text, agent: text, onBehalfOf: { kind: 'user', id: 'user', name: text } };
  const places = {
    org: { connectedApps: [text] },
    repo: { autoAssign: [rule], org: id },
    project: { columns: [{ name: text, issues: [id] }], org: id },
    pr: { requiredChecks: [text], repo: id },
  };
  for (const [kind, input] of Object.entries(places) as [keyof typeof places, JsonObject][])
    await workspace.actors.insert({ kind, id }, machines[kind].initial({ id, ...input }));
  const by = { kind: 'user', id: 'user', name: `admin ${text}` } as const;
  const times = { createdAt: early, updatedAt: early };
  const described = { title: text, body: text, labels: [text], checks: [], tools: { disabled: [text] } };
  await workspace.issues.insert({ id, workspaceId: workspaceId(name), ...described, createdBy: by, ...times }, []);
  await workspace.issues.comment(id, { id: `comment-${id}`, author: by, text, createdAt: early }, []);
  const config = { config: { disabled: [text] }, updatedAt: early, updatedBy: by };
  await workspace.issues.putConfig({ level: 'repo', id, ...config }, undefined, []);
  const steps = [{ prompt: text, tools: [{ name: text, toolkit: text, tool: text }] }];
  await workspace.recipes.put(
    { name: id, title: text, steps, version: '1', updatedAt: early, updatedBy: by },
    undefined,
    [],
  );
  await workspace.change([], (tables) => tables.insertTaskSource(sourceOf(id, text)));
  const channel = { id, kind: 'webhook', name: text, origin: 'https://hooks.example', createdBy: by } as const;
  await workspace.change([], async (tables) => {
    await tables.insertNotificationChannel({ ...channel, createdAt: early });
    await tables.putNotificationChoice({ userId: 'user', channelId: id, kinds: ['approval'] });
  });
}

/** Both workspaces have one for the same scope, without a secret: nothing can be signed with it. */
const sourceOf = (id: string, text: string): TaskSource => ({
  id,
  provider: 'github',
  scope: `acme/${id === 'same' ? 'both' : id}`,
  connectionId: id,
  checks: [{ kind: 'model', rubric: text }],
  createdBy: { kind: 'user', id: 'user', name: `admin ${text}` },
  createdAt: early,
});

/** A run that waits for a person, with a plan that could be approved. */
async function plantRun(
  workspace: ReturnType<Storage['workspace']>,
  id: string,
  { name, text }: { readonly name: Name; readonly text: string },
): Promise<void> {
  const caller = { kind: 'agent', id: 'caller', name: `caller ${text}`, workspaceId: workspaceId(name) } as const;
  const planned = { effects: [], status: 'pending', expiresAt: far } as const;
  const reason = `nobody knows ${text}`;
  await workspace.runs.insert(
    {
      id,
      principal: { ...caller, permissions: agentPermissions },
      mode: 'run',
      status: 'in_doubt',
      code: `return '${text}'`,
      tools: {},
      declarations: text,
      replayVersion: 1,
      policyVersion: 2,
      seed: 1,
      limits: {},
      idempotencyKey: id,
      lease: 1,
      takeovers: [],
      planned,
      waits: [{ for: 'doubt', number: 1, tool: 'guarded', executionId: id, since: early, reason }],
      logs: [{ level: 'log', text }],
      startedAt: early,
    },
    [],
  );
}

/** Texts that toolkits store, and files: created by the tools themselves, as their owner would. */
async function plantTexts(helve: Helve, name: Name, secrets: Keys): Promise<void> {
  const principal = await helve.plane.authenticate(secrets.session);
  const text = name === 'b' ? canary : 'alpha';
  for (const id of Object.values(idsOf(name))) {
    for (const [tool, input] of [
      ['librarian_store', { collection: '/db/notes', document_name: `${id}.xml`, content: `<note>${text}</note>` }],
      ['ingest_document', { path: `${id}.md`, content: `# ${text}\n\nThe note says ${text}.` }],
      ['remember', { text: `The note says ${text}.`, about: text }],
      ['remember', { text: `The note says ${text}.`, about: text, scope: 'workspace' }],
      ['write_file', { path: `${id}.txt`, content: text }],
      ['create_directory', { path: `drawer-${text}` }],
      ['write_file', { path: `drawer-${text}/named-${text}.txt`, content: text }],
    ] as const) {
      const planted = await helve.execute({ principal, tool, input });
      if (!planted.ok) throw new Error(`${tool}: ${planted.error.message}`);
    }
  }
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const lines = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    return `${path} ${entry.isFile() ? await readFile(path, 'base64') : entry.isDirectory() ? 'folder' : 'link'}`;
  });
  return (await Promise.all(lines)).sort();
}

const tables = [
  'users',
  'agents',
  'credentials',
  'grants',
  'policies',
  'toolkit_settings',
  'approvals',
  'audit_events',
  'runs',
  'run_steps',
  'issues',
  'issue_comments',
  'tool_configs',
  'task_sources',
  'notification_channels',
  'notification_choices',
  'recipes',
  'intents',
  'key_values',
  'results',
  'documents',
  'document_spaces',
  'connections',
  'oauth_flows',
  'auth_configs',
  'definition_pins',
  'authorizations',
];

/** A new key of the installation seals every workspace's secrets again, which does not change their values. */
const columnsOf: Readonly<Record<string, string>> = {
  secrets: 'workspace_id, subject, version, expires_at, lock_holder',
};

interface RawStore {
  /** The rows of the workspace in each table. */
  read(workspace: string): Promise<unknown[][]>;
  close(): Promise<void>;
}

/** With `?` in the place of the workspace's id. */
const selects = [
  'select * from workspaces where id = ?',
  ...[...tables, 'secrets'].map((table) => `select ${columnsOf[table] ?? '*'} from ${table} where workspace_id = ?`),
];

/** PostgreSQL gets all in one message: thousands of comparisons would otherwise wait for 27 answers each. */
async function openRaw(location: string): Promise<RawStore> {
  if (!location.startsWith('postgres')) {
    const database = new Database(location);
    const prepared = selects.map((sql) => database.prepare(sql));
    return {
      read: async (workspace) => prepared.map((statement) => statement.all(workspace)),
      close: async () => void database.close(),
    };
  }
  const client = new pg.Client({ connectionString: location, options: '-c search_path=helve' });
  await client.connect();
  return {
    async read(workspace) {
      const text = selects.join(';\n').replaceAll('?', pg.escapeLiteral(workspace));
      const results = (await client.query(text)) as unknown as pg.QueryResult[];
      return results.map(({ rows }) => rows);
    },
    close: () => client.end(),
  };
}

/** `location`: a `postgres://` address; without it, SQLite in a folder of its own. */
export async function twoWorkspaces(location?: string): Promise<TwoWorkspaces> {
  const folder = await mkdtemp(join(tmpdir(), 'helve-isolation-'));
  const database = location ?? join(folder, 'helve.db');
  const secret = (): Keys => ({
    agent: newSecret('helve_agent'),
    api_key: newSecret('helve_key'),
    session: newSecret('helve_session'),
  });
  const secrets = { a: secret(), b: secret() };
  const storage = await openStorage({ location: database, seal });
  for (const name of names) await plant(storage, name, secrets[name]);
  await storage.close();

  const helve = await createHelve({
    database,
    dataDir: folder,
    tools: extraTools,
    toolkits: [accountToolkit],
    limits: { perIp: null, perPrincipal: null, perTool: null },
    resultMaxChars: 200,
    publicUrl: 'http://localhost',
    // No name leads out of this machine: a web search ends at the egress checks.
    egress: { lookup: (_name, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]) },
  });
  const filesOf = (name: Name): string => join(folder, 'files', workspaceId(name));
  for (const name of names) {
    await plantTexts(helve, name, secrets[name]);
    // A link counts as its target, whose name contains the text of the workspace.
    const text = name === 'b' ? canary : 'alpha';
    await symlink(`drawer-${text}/named-${text}.txt`, join(filesOf(name), 'link'));
  }
  const raw = await openRaw(database);
  const principalsOf = async (name: Name) => ({
    agent: await helve.plane.authenticate(secrets[name].agent),
    api_key: await helve.plane.authenticate(secrets[name].api_key),
    session: await helve.plane.authenticate(secrets[name].session),
  });
  return {
    helve,
    secrets,
    filesOf,
    principals: { a: await principalsOf('a'), b: await principalsOf('b') },
    async rowsOf(name) {
      const all = await raw.read(workspaceId(name));
      const lines = all.map((rows) => rows.map((row) => JSON.stringify(row)).sort());
      return JSON.stringify([lines, await filesBelow(filesOf(name))]);
    },
    async close() {
      await helve.close();
      await raw.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
