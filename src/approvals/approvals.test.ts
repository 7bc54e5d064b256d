/** A matching approval is found, or presented; an ended one has no effect. */
import { expect, test } from 'vitest';
import type { ApprovalRequest, StoredApproval } from '../domain/approval.js';
import { createApprovals } from './index.js';

const by = { kind: 'user', id: 'ada', name: 'Ada' } as const;
const question = {
  principal: { kind: 'agent', id: 'a1', name: 'scout', workspaceId: 'w', permissions: [] },
  tool: { id: { toolkit: 'mail', name: 'send' }, inputSchema: {} },
  input: { to: 'ada' },
  inputHash: 'hash',
  policyVersion: 1,
  rule: 'r',
  reason: 'r',
  elicitation: false,
} as unknown as ApprovalRequest;

function createScene() {
  const stored = new Map<string, StoredApproval>();
  const set = (id: string, more: Partial<StoredApproval>) => stored.set(id, { ...stored.get(id)!, ...more });
  const table = {
    findByBinding: async (binding: string) =>
      [...stored.values()].find((one) => one.binding === binding && one.status !== 'used'),
    find: async (id: string) => stored.get(id),
    async request(approval: StoredApproval) {
      stored.set(approval.id, approval);
      return { approval, isNew: true };
    },
    async decide({ id, status }: { id: string; status: StoredApproval['status'] }) {
      if (stored.get(id)?.status !== 'pending') return undefined;
      set(id, { status });
      return stored.get(id);
    },
  };
  const approvals = createApprovals({
    table: table as never,
    now: () => new Date('2026-01-01T00:00:00.000Z'),
    lifetimeMs: 1_000,
    maxPending: 10,
    redactNote: (note: string) => note,
    redact: (input) => input,
    seal: async () => undefined,
    accountFacts: async () => ({}),
    recordName: async ({ toolkit, tool }) => `${toolkit}.${tool}`,
  });
  return { approvals, stored, set };
}

test.each([
  'pending',
  'approved',
  'rejected',
] as const)('R-approval: an approval that is %s is reused for the same call, found or presented, and no new one is requested', async (status) => {
  const { approvals, stored, set } = createScene();
  const { id } = await approvals.resolve(question);
  set(id, { status });
  expect(await approvals.resolve(question)).toMatchObject({ id, status });
  expect(await approvals.resolve({ ...question, approvalId: id })).toMatchObject({ id, status });
  expect(stored.size).toBe(1);
  expect((await approvals.resolve({ ...question, inputHash: 'other' })).id).not.toBe(id);
});

test.each([
  ['was used', { status: 'used' }, 'conflict'],
  ['has expired', { status: 'approved', expiresAt: '2026-01-01T00:00:00.000Z' }, 'expired'],
  ['was given for another call', { status: 'approved', binding: 'other' }, 'invalid_input'],
] as const)('attack: one that %s is not good when it is presented, and nothing is asked in its place', async (_what, change, code) => {
  const { approvals, stored, set } = createScene();
  const { id } = await approvals.resolve(question);
  set(id, change);
  await expect(approvals.resolve({ ...question, approvalId: id })).rejects.toMatchObject({ code });
  expect(stored.size).toBe(1);
});

test('attack: an unknown approval is not found; one that was decided, or has expired, is not decided again', async () => {
  const { approvals, stored, set } = createScene();
  await expect(approvals.get('none')).rejects.toMatchObject({ code: 'not_found' });
  await expect(approvals.resolve({ ...question, approvalId: 'none' })).rejects.toMatchObject({ code: 'not_found' });
  const { id } = await approvals.resolve(question);
  expect(await approvals.decide(id, { status: 'rejected', through: 'api' }, by)).toMatchObject({ status: 'rejected' });
  await expect(approvals.decide(id, { status: 'approved', through: 'api' }, by)).rejects.toMatchObject({
    code: 'conflict',
  });
  expect(stored.get(id)?.status).toBe('rejected');
  set(id, { status: 'pending', expiresAt: '2026-01-01T00:00:00.000Z' });
  await expect(approvals.decide(id, { status: 'approved', through: 'api' }, by)).rejects.toMatchObject({
    code: 'expired',
  });
  expect(stored.get(id)?.status).toBe('pending');
});
