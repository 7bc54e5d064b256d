/** Data for the storage contract: rows of every kind, and the check that a chain is intact. */
import { createChainCheck } from '../audit/index.js';
import type { StoredApproval } from '../domain/approval.js';
import type { AuditDraft, JournalEntry } from '../domain/audit.js';
import type { Agent, Credential, PrincipalRef, Workspace } from '../domain/principal.js';
import type { Storage, StoredResult, WorkspaceStorage } from '../domain/storage.js';

export interface StorageUnderTest {
  readonly storage: Storage;
  /** Closes `storage` and opens the same data again. */
  reopen(): Promise<Storage>;
  /** Another handle on the same data, as another process would have it. */
  second(): Promise<Storage>;
  dispose(): Promise<void>;
}

export interface ContractParts {
  under(): StorageUnderTest;
  one(): WorkspaceStorage;
  two(): WorkspaceStorage;
}

export const time = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

export const actor: PrincipalRef = { kind: 'agent', id: 'a1', name: 'Scout' };

export function workspace(id: string): Workspace {
  return { id, slug: `slug-${id}`, name: `Workspace ${id}`, createdAt: time(0) };
}

export function draft(more: Partial<AuditDraft> = {}): AuditDraft {
  return { type: 'execution.started', at: time(1), actor, body: { n: 1 }, ...more };
}

export function agent(id: string, more: Partial<Agent> = {}): Agent {
  return { id, slug: `agent-${id}`, name: `Agent ${id}`, createdAt: time(0), managedBy: 'api', ...more };
}

export function credential(id: string, more: Partial<Credential> = {}): Credential {
  return {
    id,
    kind: 'agent_token',
    principalId: 'a1',
    name: 'token',
    hash: `hash-${id}`,
    prefix: 'hv_1234',
    permissions: ['tools:call'],
    createdAt: time(0),
    ...more,
  };
}

export function approval(id: string, more: Partial<StoredApproval> = {}): StoredApproval {
  return {
    id,
    binding: 'binding',
    status: 'pending',
    principal: actor,
    toolkit: 'gmail',
    tool: 'send',
    arguments: { to: 'x' },
    policyVersion: 1,
    rule: 'default.destructive',
    reason: 'It sends',
    requestedAt: time(1),
    expiresAt: time(60),
    elicitation: false,
    ...more,
  };
}

export function storedResult(handle: string, more: Partial<StoredResult> = {}): StoredResult {
  const ids = { handle, executionId: 'e1', caller: 'a1', toolkit: 'gmail', tool: 'list' };
  return { ...ids, value: [1, { two: null }], expiresAt: time(60), ...more };
}

export function entry(workspaceId: string, more: Partial<JournalEntry> = {}): JournalEntry {
  return { workspaceId, events: [draft()], ...more };
}

export function intent(executionId: string) {
  return { executionId, tool: 'gmail.send', actor, startedAt: time(1), instanceId: 'i1' };
}

/** Approved and not yet used. */
export async function approve(storage: Storage, workspaceId: string, id: string): Promise<void> {
  const { approvals } = storage.workspace(workspaceId);
  await approvals.request(approval(id, { binding: id }), []);
  await approvals.decide({ id, status: 'approved', at: time(2), by: actor, through: 'api' }, []);
}

/** Reads a chain in pages and returns its number of rows; throws if it is broken. */
export async function checkChain(storage: Storage, workspaceId: string): Promise<number> {
  const { audit } = storage.workspace(workspaceId);
  const check = createChainCheck();
  for (;;) {
    const page = await audit.page(check.seq, 200);
    for (const event of page) {
      const broken = check.accept(event);
      if (broken) throw new Error(`${workspaceId} ${broken.seq}: ${broken.problem}`);
    }
    if (page.length < 200) break;
  }
  const head = await audit.head();
  if (head.seq !== check.seq || head.hash !== check.hash) throw new Error('The head does not follow the last row');
  return check.seq;
}
