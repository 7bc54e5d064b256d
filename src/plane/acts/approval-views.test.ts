/** What a reader sees of an approval, and which approvals are never stored. */
import { expect, test } from 'vitest';
import { HelveError } from '../../domain/errors.js';
import type { Principal } from '../../domain/principal.js';
import { approvalView, workspaceApprovals } from './approval-views.js';

const configurations = { get: async () => ({ connections: [] }) };

/** Asks for an approval with a vault that fails in this way; the stored row, or the error. */
async function asked(error: Error): Promise<unknown> {
  const stored: object[] = [];
  const request = async (approval: object) => ({ approval: stored[stored.push(approval) - 1] });
  const table = { findByBinding: async () => undefined, request };
  const approvals = workspaceApprovals({
    storage: { workspace: () => ({ approvals: table }) },
    configurations,
    accounts: { vault: { seal: async () => Promise.reject(error) } },
    registry: { findToolkit: async () => undefined },
    now: () => new Date(),
    lifetimeMs: 1_000,
    maxPending: 1,
  } as never);
  const principal = { kind: 'agent', id: 'a', name: 'a', workspaceId: 'w', permissions: [] } as const;
  const tool = { id: { toolkit: 'mail', name: 'send' }, inputSchema: { type: 'object' } };
  const question = { principal, tool, input: { to: 'ada' }, policyVersion: 1, rule: 'p', reason: 'p' };
  return approvals('w').resolve(question as never);
}

test('R-approval: without a key the arguments are stored redacted; after another failure nothing is asked', async () => {
  const kept = await asked(new HelveError('invalid_config', 'The vault has no keys'));
  expect(kept).toMatchObject({ status: 'pending', toolkit: 'mail' });
  expect(kept).not.toHaveProperty('sealed');
  for (const error of [new HelveError('storage_failed', 'no'), new Error('no')])
    await expect(asked(error)).rejects.toBe(error);
});

test('R-approval: an account that is removed while its approval is read is only left out', async () => {
  const reader: Principal = { kind: 'user', id: 'u', name: 'u', workspaceId: 'w', permissions: [] };
  const stored = { id: 'x', connectionId: 'gone', arguments: {} };
  const view = await approvalView({ configurations } as never, reader, stored as never);
  expect(view).toEqual({ ...stored, exact: false });
});
