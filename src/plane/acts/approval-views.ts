/** Approvals for readers: with the acting account, and with the exact arguments for those who may decide. */
import { type Approvals, createApprovals } from '../../approvals/index.js';
import { redact, redactText } from '../../audit/index.js';
import type { Approval, StoredApproval } from '../../domain/approval.js';
import { toHelveError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import { toAuditName } from '../../domain/naming/index.js';
import type { Principal } from '../../domain/principal.js';
import type { PlaneParts } from '../../flows/parts.js';
import { accountFacts, actingAccount } from '../../util/acting-account.js';
import { defined } from '../../util/defined.js';

type Parts = Pick<PlaneParts, 'storage' | 'configurations' | 'accounts'>;

interface ApprovalsParts extends Parts, Pick<PlaneParts, 'registry'> {
  readonly now: () => Date;
  readonly lifetimeMs: number;
  readonly maxPending: number;
}

export function workspaceApprovals(parts: ApprovalsParts): (workspaceId: string) => Approvals {
  const { storage, now, lifetimeMs, maxPending, configurations, accounts, registry } = parts;
  return (workspaceId) =>
    createApprovals({
      table: storage.workspace(workspaceId).approvals,
      now,
      lifetimeMs,
      maxPending,
      redact,
      redactNote: redactText,
      seal: createApprovalSeal(accounts, workspaceId).seal,
      async accountFacts(connectionId) {
        const { connections } = await configurations.get(workspaceId);
        return accountFacts(connections.find(({ id }) => id === connectionId));
      },
      recordName: async ({ toolkit, tool: name }) =>
        toAuditName({ toolkit, name }, (await registry.findToolkit(toolkit))?.title),
    });
}

function createApprovalSeal({ vault }: Pick<PlaneParts['accounts'], 'vault'>, workspaceId: string) {
  const place = (id: string) => ({ workspaceId, subject: `approval:${id}` });
  return {
    async seal(id: string, input: JsonObject): Promise<string | undefined> {
      const sealed = await vault.seal(place(id), JSON.stringify(input)).catch((error: unknown) => {
        // Without a key the arguments are stored redacted, and readers see that.
        if (toHelveError(error).code !== 'invalid_config') throw error;
        return undefined;
      });
      return sealed?.sealed;
    },
    open: async (id: string, sealed: string) => JSON.parse(await vault.open(place(id), { sealed })) as JsonObject,
  };
}

/** Callers that may not decide get the redacted arguments. */
export async function approvalView(parts: Parts, principal: Principal, stored: StoredApproval): Promise<Approval> {
  const { sealed, meaning: _, ...approval } = stored;
  const acting = await actingOn(parts, principal.workspaceId, approval.connectionId);
  const exact = principal.permissions.includes('approvals:decide') ? await opened(parts, principal, stored) : undefined;
  return {
    ...approval,
    ...(exact === undefined ? { exact: false } : { arguments: exact, exact: true }),
    ...defined({ account: acting }),
  };
}

/**
 * Undefined if nothing was sealed, or the key has been retired since: the reader then sees that the arguments are not
 * exact.
 */
async function opened(
  { accounts }: Parts,
  { workspaceId }: Principal,
  { id, sealed }: StoredApproval,
): Promise<JsonObject | undefined> {
  if (sealed === undefined) return undefined;
  return createApprovalSeal(accounts, workspaceId)
    .open(id, sealed)
    .catch(() => undefined);
}

export async function actingOn(
  { storage, configurations }: Parts,
  workspaceId: string,
  connectionId: string | undefined,
) {
  if (connectionId === undefined) return undefined;
  const { connections } = await configurations.get(workspaceId);
  const connection = connections.find(({ id }) => id === connectionId);
  if (connection === undefined) return undefined;
  const workspace = storage.workspace(workspaceId);
  // A person, or a key: the command line connects accounts with its own.
  const { ownerId } = connection;
  const owner = (await workspace.findUser(ownerId)) ?? (await workspace.findCredential(ownerId));
  return actingAccount(connection, owner?.name);
}
