/** Who may read the audit record and decide approvals, and whether a changed record is detected. */

import { describe, expect, test } from 'vitest';
import { seal } from '../../audit/index.js';
import { checkPermissions } from '../../domain/acts.js';
import type { AuditEvent } from '../../domain/audit.js';
import { allPermissions, type Permission, type Principal, type PrincipalRef } from '../../domain/principal.js';
import { chainStart } from '../../domain/storage.js';
import { createTestHelve, testTool } from '../../testing/index.js';
import { createExecutionList } from './executions.js';
import { createRecord } from './record.js';

const ada = { kind: 'user', id: 'ada', name: 'Ada' } as const;
const agent: Principal = { kind: 'agent', id: 'a1', name: 'scout', workspaceId: 'w', permissions: [], onBehalfOf: ada };
const user = (permissions: Permission[], id = 'ada'): Principal => ({ ...ada, id, workspaceId: 'w', permissions });

interface Given {
  readonly asked?: Partial<{
    principal: PrincipalRef;
    onBehalfOf: PrincipalRef;
    elicitation: boolean;
    connectionId: string;
  }>;
  readonly enabled?: boolean;
  readonly rows?: readonly AuditEvent[];
  readonly head?: readonly { seq: number; hash: string }[];
}

function createScene({ asked = {}, enabled = true, rows = [], head = [] }: Given) {
  const decided: string[] = [];
  const searched: object[] = [];
  const read: number[] = [];
  const heads = [...head];
  const approval = {
    id: 'x',
    principal: { kind: 'agent', id: 'a1', name: 'scout' },
    onBehalfOf: ada,
    elicitation: true,
    arguments: {},
    ...asked,
  };
  const connections = [{ id: 'c1', visibility: 'private', ownerId: 'bo' }];
  const configuration = async () => ({ connections, revision: 1 });
  const audit = {
    search: async (query: object) => {
      searched.push(query);
      return rows;
    },
    page: async (after: number, size: number) => {
      read.push(after);
      return rows.filter(({ seq }) => seq > after).slice(0, size);
    },
    head: async () => (heads.length > 1 ? heads.shift() : heads[0]),
  };
  const workspace = {
    audit,
    recordArchives: { newest: async () => undefined },
    findUser: async () => undefined,
    findCredential: async () => undefined,
    approvals: { list: async () => [approval], findLastApproved: async () => undefined },
  };
  const parts = {
    storage: { workspace: () => workspace },
    configurations: { getFresh: configuration, get: configuration },
    streamReads: { configuration, rights: async () => 'trusted' },
    elicitation: { enabled, agents: [] },
    runs: { wake: () => {} },
    now: () => new Date(),
    catalogue: async () => ({ match: () => [] }),
    registry: {
      findToolkit: async (slug: string) => (slug === 'mail' ? { title: 'MAIL' } : undefined),
      find: async () => undefined,
    },
    approvals: () => ({
      get: async () => approval,
      decide: async (id: string) => {
        decided.push(id);
        return approval;
      },
    }),
  } as never;
  const plane = checkPermissions({ ...createRecord(parts), ...createExecutionList(parts) });
  return { plane, decided, searched, read };
}

describe('an answer from the program that asked', () => {
  test.each<[string, Given, Principal, boolean]>([
    ['for its own call and the same person', {}, agent, true],
    ['where it is off', { enabled: false }, agent, false],
    ['where this call does not allow it', { asked: { elicitation: false } }, agent, false],
    ['of another agent', {}, { ...agent, id: 'a2' }, false],
    ['of a key with the id of the agent', {}, { ...agent, kind: 'api_key' }, false],
    ['for another person', {}, { ...agent, onBehalfOf: { ...ada, id: 'bo' } }, false],
    ['for a key with the id of the person', {}, { ...agent, onBehalfOf: { ...ada, kind: 'api_key' } }, false],
    ['for no person', {}, { ...agent, onBehalfOf: undefined } as unknown as Principal, false],
    ['for a person, where none was acted for', { asked: { onBehalfOf: undefined as never } }, agent, false],
    ['on an account that it may not see', { asked: { connectionId: 'c1' } }, agent, false],
  ])('attack: an approval is decided at the client %s: %#', async (_what, given, by, allowed) => {
    const { plane, decided } = createScene(given);
    const outcome = await plane.answerElicitation(by, 'x', 'approved').then(
      () => true,
      () => false,
    );
    expect([outcome, decided]).toEqual([allowed, allowed ? ['x'] : []]);
  });

  test('attack: by another route it requires the permission, and access to the account', async () => {
    for (const through of ['api', 'page'] as never[]) {
      const { plane, decided } = createScene({});
      await expect(plane.decideApproval(agent, 'x', 'approved', through)).rejects.toMatchObject({ code: 'forbidden' });
      await expect(plane.decideApproval(user(['approvals:read']), 'x', 'approved', through)).rejects.toMatchObject({
        code: 'forbidden',
      });
      expect(decided).toEqual([]);
    }
    const { plane, decided } = createScene({ asked: { connectionId: 'c1' } });
    const both: Permission[] = ['approvals:decide', 'approvals:read'];
    for (const act of [
      () => plane.approval(user(both), 'x'),
      () => plane.decideApproval(user(both), 'x', 'approved', 'api'),
    ])
      await expect(act()).rejects.toMatchObject({ code: 'not_found' });
    expect(decided).toEqual([]);
    await plane.decideApproval(user(both, 'bo'), 'x', 'approved', 'api');
    expect([decided, await plane.approval(user(both, 'bo'), 'x')]).toMatchObject([['x'], { id: 'x' }]);
  });
});

const row = (seq: number, more: Partial<AuditEvent> = {}): AuditEvent =>
  ({
    id: `e${seq}`,
    workspaceId: 'w',
    seq,
    type: 'execution.finished',
    at: '2026-01-01T00:00:00.000Z',
    actor: { kind: 'agent', id: 'a1', name: 'scout' },
    tool: 'mail.send',
    executionId: 'x',
    body: { status: 'ok' },
    ...more,
  }) as AuditEvent;

test.each<[string, Permission, (plane: ReturnType<typeof createScene>['plane'], by: Principal) => unknown]>([
  ['the record is read', 'audit:read', (plane, by) => plane.audit(by, {})],
  ['the record is checked', 'audit:read', (plane, by) => plane.verifyAudit(by)],
  ['the record is exported', 'audit:read', (plane, by) => plane.exportAudit(by)],
  ['executions are listed', 'tools:read', (plane, by) => plane.executions(by, {})],
  ['an execution is read', 'tools:read', (plane, by) => plane.execution(by, 'x')],
  ['approvals are listed', 'approvals:read', (plane, by) => plane.approvals(by, {})],
  ['an approval is read', 'approvals:read', (plane, by) => plane.approval(by, 'x')],
])('attack: %s with %s, and not without', async (_what, permission, act) => {
  const { plane } = createScene({ head: [{ seq: 1, hash: '' }], rows: [row(1)] });
  const others = allPermissions.filter((one) => one !== permission);
  await expect(async () => act(plane, user(others))).rejects.toMatchObject({ code: 'forbidden' });
  await act(plane, user([permission, 'audit:read']));
});

describe('executions', () => {
  test('leak: without audit:read only the caller’s own are searched and shown; with it those of the workspace', async () => {
    const rows = [row(1, { type: 'execution.started', onBehalfOf: ada }), row(2, { onBehalfOf: ada })];
    const { plane, searched } = createScene({ rows });
    const own = { ...agent, permissions: ['tools:read'] } as Principal;
    await plane.executions(own, {});
    await plane.executions(user(['tools:read', 'audit:read']), { tool: 'mail.send', limit: 1_000 });
    expect(searched).toEqual([
      { types: expect.any(Array), limit: 50, actorId: 'a1' },
      { types: expect.any(Array), limit: 500, tool: 'MAIL.send' },
    ]);
    expect(await plane.execution(own, 'x')).toMatchObject({ executionId: 'x', status: 'ok', started: {}, outcome: {} });
    expect(await plane.execution(user(['tools:read', 'audit:read']), 'x')).toMatchObject({ status: 'ok' });
    for (const other of [user(['tools:read']), { ...user(['tools:read', 'audit:read']), workspaceId: 'other' }])
      await expect(plane.execution(other, 'x')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('R-audit: a name that means no toolkit here is searched as it was written', async () => {
    const { plane, searched } = createScene({});
    const by = user(['tools:read', 'audit:read']);
    for (const tool of ['mail.send', 'other.send', 'mail', 'send']) await plane.executions(by, { tool });
    expect(searched).toMatchObject(['MAIL.send', 'other.send', 'mail', 'send'].map((tool) => ({ tool })));
  });

  test.each([
    ['execution.started', {}, 'running'],
    ['execution.refused', { status: 'ok' }, 'refused'],
    ['execution.interrupted', { status: 'ok' }, 'interrupted'],
    ['execution.finished', { status: 'ok' }, 'ok'],
    ['execution.finished', { status: 'failed' }, 'failed'],
  ] as const)('R-audit: after %s with %j it is %s', async (type, body, status) => {
    const { plane } = createScene({ rows: [row(1, { type, body })] });
    expect(await plane.execution(user(['tools:read', 'audit:read']), 'x')).toMatchObject({ status });
  });
});

test('R-audit: an execution that has rows of other kinds only is an error of the store', async () => {
  const { plane } = createScene({ rows: [row(1, { type: 'approval.requested' })] });
  await expect(plane.execution(user(['tools:read', 'audit:read']), 'x')).rejects.toMatchObject({ code: 'internal' });
});

describe('the chain', () => {
  const chain = (count: number): AuditEvent[] => {
    const rows: AuditEvent[] = [];
    for (let seq = 1; seq <= count; seq++) {
      const { hash: _, ...event } = row(seq);
      rows.push({ ...event, hash: seal(rows.at(-1)?.hash ?? chainStart, event) });
    }
    return rows;
  };
  const headOf = (rows: readonly AuditEvent[], at = rows.length) => ({ seq: at, hash: rows[at - 1]?.hash ?? '' });
  const verify = (rows: readonly AuditEvent[], ...head: { seq: number; hash: string }[]) =>
    createScene({ rows, head }).plane.verifyAudit(user(['audit:read']));
  const rows = chain(2_500);

  test('R-audit: it is intact, over many pages, and while rows are added', async () => {
    expect(await verify(rows, headOf(rows))).toMatchObject({ ok: true, rows: 2_500 });
    expect(await verify(rows, headOf(rows, 2_400), headOf(rows))).toMatchObject({ ok: true });
    expect(await verify([], { seq: 0, hash: '' })).toMatchObject({ ok: true, rows: 0 });
    const exported: number[] = [];
    for await (const { seq } of createScene({ rows }).plane.exportAudit(user(['audit:read']))) exported.push(seq);
    expect(exported).toEqual(rows.map(({ seq }) => seq));
  });

  test('R-audit: many simultaneous requests share one run, and of two runs the second waits', async () => {
    const { plane, read } = createScene({ rows, head: [headOf(rows)] });
    const by = user(['audit:read']);
    const reports = await Promise.all([plane.verifyAudit(by), plane.verifyAudit(by), plane.verifyAudit(by)]);
    expect(reports.map(({ rows: proved }) => proved)).toEqual([2_500, 2_500, 2_500]);
    const once = read.splice(0);
    expect(once).toEqual([...new Set(once)]);
    const [all, rest] = [plane.verifyAudit(by), plane.verifyAudit(by, headOf(rows, 2_400))];
    await Promise.all([all, rest]);
    // First all pages of the one run; then the checked row and the pages after it.
    expect(read.slice(0, once.length)).toEqual(once);
    const second = read.slice(once.length);
    expect(second.slice(0, 2)).toEqual([2_399, 2_400]);
    expect(second).toEqual(second.toSorted((one, other) => one - other));
  });

  test('R-audit: a row that was changed is distinguished from missing rows', async () => {
    const [first, ...rest] = rows;
    expect(await verify([{ ...first!, tool: 'mail.read' }, ...rest], headOf(rows))).toMatchObject({
      firstBroken: { seq: 1, problem: 'row 1 was changed' },
    });
    expect(await verify(rest, headOf(rows))).toMatchObject({ firstBroken: { seq: 1, problem: 'row 1 is missing' } });
  });

  test.each<[string, readonly AuditEvent[], { seq: number; hash: string }, number]>([
    [
      'a row that was changed',
      rows.map((one) => (one.seq === 7 ? { ...one, tool: 'mail.read' } : one)),
      headOf(rows),
      7,
    ],
    ['a row that is missing', rows.filter(({ seq }) => seq !== 9), headOf(rows), 9],
    ['a last row that is missing', rows.slice(0, -1), headOf(rows), 2_500],
    ['another last row', rows, { seq: 2_500, hash: 'other' }, 2_500],
    ['a row after the end', rows, headOf(rows, 2_499), 2_500],
  ])('attack: %s is seen', async (_what, given, head, seq) => {
    const report = await verify(given, head);
    expect(report).toMatchObject({ ok: false, firstBroken: { seq }, head });
    // Rows before the break are intact.
    expect(report.rows).toBeLessThanOrEqual(seq);
    expect(report.rows).toBeGreaterThanOrEqual(seq - 1);
  });
});

test('R-audit: a call is recorded with its risk, its door and the length of its result', async () => {
  const long = testTool({ name: 'long', execute: async () => 'x'.repeat(500) });
  const here = await createTestHelve({ tools: [testTool({ name: 'short' }), long], resultMaxChars: 200 });
  try {
    await here.call('short', { a: 1 }, { door: 'mcp' });
    await here.call('long', {});
    await here.call('nothing', {}, { door: 'api' });
    const rows = (await here.audited()).filter(({ type }) => type.startsWith('execution.'));
    const [shortStart, shortEnd, longStart, longEnd, refused] = rows.map(({ body }) => body);
    expect(shortStart).toMatchObject({ risk: 'write', door: 'mcp' });
    expect(shortEnd).toMatchObject({ characters: '{"echoed":{"a":1}}'.length });
    expect(shortEnd).not.toHaveProperty('kept');
    expect(longStart).not.toHaveProperty('door');
    expect(longEnd).toMatchObject({ characters: 500, kept: 500 });
    expect(refused).toMatchObject({ door: 'api' });
    expect(refused).not.toHaveProperty('risk');
  } finally {
    await here.close();
  }
});
