/**
 * For tests: a workspace with one private account whose marker word must reach only those who may see it, and callers
 * of all kinds.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { seal } from '../../../audit/index.js';
import type { Plane } from '../../../domain/plane.js';
import { agentPrincipal, allPermissions, type Permission, type Principal } from '../../../domain/principal.js';
import { openStorage } from '../../../storage/index.js';
import { createTestHelve, type TestHelve, testTool } from '../../../testing/index.js';
import { newSecret } from '../../../util/hash.js';
import { vault } from './vault-toolkit.js';

/** All data of the private account contains it: name, arguments, results, subscription, events. */
export const word = 'quetzal';
const far = '2099-01-01T00:00:00.000Z';

export interface Scene {
  readonly helve: TestHelve;
  readonly plane: Plane;
  /** The owner of the account. */
  readonly owner: Principal;
  /** A key that has every permission and may not see the account. */
  readonly other: Principal;
  /** Another agent, without grants. */
  readonly rival: Principal;
  /** The admin of another workspace. */
  readonly stranger: Principal;
  /** The agent, acting for the owner. */
  readonly acting: Principal;
  /** The id of an issue of the workspace that has no agent. */
  readonly issue: string;
  /** The id of a member of the workspace. */
  readonly member: string;
  readonly account: string;
  readonly execution: string;
  readonly approval: string;
  readonly subscription: string;
  readonly handle: string;
  readonly token: { readonly id: string; readonly secret: string };
  readonly link: { readonly id: string; readonly secret: string };
  readonly session: string;
  readonly consent: string;
  readonly programAsks: URLSearchParams;
  /** Every row of this workspace except the audit record, as text. */
  rows(): readonly string[];
  /** Every row of all workspaces, except the audit record and the signs of life of the process. */
  everyRow(): readonly string[];
  close(): Promise<void>;
}

const toolkit = {
  ...vault,
  load: async () => [...(await vault.load()), testTool({ name: 'empty_vault', highRisk: true })],
};

export async function openScene(): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), 'helve-acts-'));
  const database = join(folder, 'helve.db');
  const helve = await createTestHelve({
    database,
    publicUrl: 'http://localhost',
    toolkits: [toolkit],
    connections: [
      { toolkit: 'vault', name: word, visibility: 'private', credentials: { token: word } },
      { toolkit: 'vault', name: 'Shared', credentials: { token: 'shared' } },
    ],
  });
  const callers = await getCallers(helve);
  const { id: issue } = await helve.plane.createIssue(helve.admin, { title: 'Open' });
  await toldAccounts(helve);
  const raw = new Database(database);
  const tables = createTables(raw);
  return {
    ...callers,
    ...(await plantedOn(helve, callers, database)),
    ...(await listSecrets(helve)),
    issue,
    member: (await helve.plane.createUser(helve.admin, { name: 'Mia', role: 'member' })).user.id,
    ...(await getConsent(helve)),
    helve,
    plane: helve.plane,
    rows: () => getRows(tables, helve.workspaceId),
    everyRow: () => readTables(tables, ['audit_events', 'instances']).map((row) => JSON.stringify(row)),
    async close() {
      await helve.close();
      raw.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The organisation of the issue learns of both accounts after the fact, which would look like an effect. */
async function toldAccounts({ plane, admin }: TestHelve): Promise<void> {
  for await (const { snapshot } of plane.followActor(admin, { kind: 'org', id: 'own' }))
    if (Object.keys(snapshot.context.connections ?? {}).length === 2) return;
}

type Callers = Pick<Scene, 'owner' | 'other' | 'rival' | 'stranger' | 'acting'>;

async function getCallers(helve: TestHelve): Promise<Callers> {
  const { plane, admin: owner, workspaceId } = helve;
  const key = await plane.createApiKey(owner, { permissions: allPermissions });
  const elsewhere = await helve.ensureWorkspace('elsewhere');
  const { principal: stranger } = await plane.redeemAdminLink(await helve.adminLink(elsewhere.workspaceId));
  return {
    owner,
    other: await plane.authenticate(key.secret),
    rival: agentPrincipal(await plane.createAgent(owner, { slug: 'rival' }), workspaceId),
    stranger,
    acting: await plane.actAs(owner, 'tester'),
  };
}

/** The data on the private account: a finished call, a pending approval, a stored result, a subscription, an event. */
async function plantedOn({ plane, workspaceId }: TestHelve, { owner, acting }: Callers, database: string) {
  const input = { shelf: word };
  const opened = await plane.execute({ principal: acting, tool: `${word}__open_vault`, input });
  const asked = await plane.execute({ principal: acting, tool: `${word}__empty_vault`, input });
  if (!opened.ok || asked.ok) throw new Error(`The calls of the scene went wrong: ${JSON.stringify([opened, asked])}`);
  const { id: account } = await plane.connection(owner, word);
  await plane.putAuthClient(owner, 'google', { clientId: 'before', clientSecret: 'before' });
  const storage = await openStorage({ location: database, seal });
  const { triggers, results } = storage.workspace(workspaceId);
  const at = new Date().toISOString();
  const of = { trigger: 'VAULT_OPENED', app: 'vault', connectionId: account };
  const subscription = 'subscription';
  await triggers.insert({
    ...of,
    id: subscription,
    source: 'composio',
    externalId: 'external',
    config: { note: word },
    createdAt: at,
  });
  await triggers.receive(
    { ...of, id: 'event', subscriptionId: subscription, at, receivedAt: at, payload: { word } },
    far,
  );
  const by = { kind: 'user', id: owner.id, name: owner.name } as const;
  const source = { id: 'source', provider: 'github', scope: 'acme/shop', checks: [], createdBy: by } as const;
  await storage
    .workspace(workspaceId)
    .change([], (tables) => tables.insertTaskSource({ ...source, connectionId: account, createdAt: at }));
  const channel = { id: 'channel', kind: 'email', name: 'Mail', connectionId: account } as const;
  await storage
    .workspace(workspaceId)
    .change([], (tables) => tables.insertNotificationChannel({ ...channel, createdBy: by, createdAt: at }));
  const recipe = { name: 'recipe', steps: [{ prompt: 'Look', tools: [] }], version: '1', updatedAt: at, updatedBy: by };
  await storage.workspace(workspaceId).recipes.put(recipe, undefined, []);
  await results.put({
    handle: 'handle',
    executionId: opened.executionId,
    caller: acting.id,
    toolkit: 'vault',
    tool: 'open_vault',
    value: { text: word },
    expiresAt: far,
  });
  await storage.close();
  const approval = String(asked.error.details?.approvalId);
  return { account, execution: opened.executionId, approval, subscription, handle: 'handle' };
}

async function listSecrets({ plane, admin }: TestHelve) {
  const token = await plane.issueAgentToken(admin, 'tester', { expiresInSeconds: 3_600 });
  const [link, spent] = [await plane.issueAdminLink(admin), await plane.issueAdminLink(admin)];
  const { session } = await plane.redeemAdminLink(spent.secret);
  return {
    token: { id: token.credential.id, secret: token.secret },
    link: { id: link.credential.id, secret: link.secret },
    session,
  };
}

async function getConsent({ plane, admin }: TestHelve) {
  const redirectUri = 'http://localhost/callback';
  const { body } = await plane.registerClient({ client_name: 'program', redirect_uris: [redirectUri] }, '127.0.0.1');
  const programAsks = new URLSearchParams({
    client_id: String(body?.client_id),
    redirect_uri: redirectUri,
    response_type: 'code',
    code_challenge: newSecret('x').slice(-43).padEnd(43, 'a').replaceAll('_', 'a'),
    code_challenge_method: 'S256',
    resource: 'http://localhost/mcp/tester',
    scope: 'tools:read',
  });
  const step = await plane.beginAuthorization('http://localhost', programAsks, admin);
  if (step.kind !== 'consent') throw new Error(`No page to answer: ${JSON.stringify(step)}`);
  return { consent: step.question.token, programAsks };
}

/**
 * Refusals add to the audit record, a process sends heartbeats, types are learned later, and a refused program is kept for
 * the one who wrote it: none counts as an effect.
 */
const noEffect = ['audit_events', 'instances', 'helve_schema', 'learned_types', 'runs'];

/** A replacement rewrites each remaining grant, at another position and with another id. */
function lasting(table: string, { id, position, ...row }: Record<string, unknown>): Record<string, unknown> {
  return table === 'grants' ? row : { id, position, ...row };
}

type TableRow = readonly [table: string, row: Record<string, unknown>];

/** The statements that read the rows of a table, by its name. */
type Tables = ReadonlyMap<string, Database.Statement>;

function createTables(raw: Database.Database): Tables {
  const named = raw.prepare("select name from sqlite_master where type = 'table'").all() as { name: string }[];
  return new Map(named.map(({ name }) => [name, raw.prepare(`select * from "${name}"`)]));
}

function readTables(tables: Tables, without: readonly string[]): TableRow[] {
  return [...tables]
    .filter(([table]) => !without.includes(table))
    .flatMap(([table, all]) => (all.all() as Record<string, unknown>[]).map((row): TableRow => [table, row]));
}

function getRows(tables: Tables, workspaceId: string): string[] {
  return readTables(tables, noEffect)
    .filter(([, row]) => row.workspace_id === workspaceId)
    .map(([table, row]) => JSON.stringify([table, lasting(table, row)]))
    .sort();
}

/** The same caller without these permissions, or with only these. */
export const without = (by: Principal, missing: readonly Permission[]): Principal => ({
  ...by,
  permissions: by.permissions.filter((permission) => !missing.includes(permission)),
});
