/** One list of what is in order: each fault shows in it, with what to do about it. */
import { expect, test, vi } from 'vitest';
import type { EmbeddingProgress } from '../../domain/discovery.js';
import type { Principal } from '../../domain/principal.js';
import { createTestHelve } from '../../testing/index.js';
import { createDoctor } from './doctor.js';

const by: Principal = { kind: 'user', id: 'ada', name: 'Ada', workspaceId: 'w', permissions: ['audit:read'] };
const head = { seq: 4, hash: '' };

interface Faults {
  readonly healthy?: boolean;
  readonly broken?: boolean;
  readonly policy?: boolean;
  readonly limit?: boolean;
  readonly machine?: boolean;
  readonly vault?: boolean;
}

/** With a row of the record for each of these days before now. */
function installation(
  daysAgo: readonly number[] = [20, 9, 6.9, 3, 0],
  slug = 'default',
  {
    embeddings,
    missingKey,
    storeBehindMs = 0,
    publicUrl = 'http://127.0.0.1:4870',
  }: {
    readonly embeddings?: EmbeddingProgress;
    readonly missingKey?: object | undefined;
    readonly storeBehindMs?: number;
    readonly publicUrl?: string;
  } = {},
) {
  const now = new Date('2026-05-01T12:00:00.000Z');
  const rows = daysAgo.map((days, place) => ({
    seq: place + 1,
    at: new Date(now.getTime() - days * 86_400_000).toISOString(),
  }));
  const page = async (after: number, limit: number) => rows.slice(after, after + limit);
  const audit = { head: async () => ({ seq: rows.length, hash: '' }), page };
  const recordArchives = { newest: async () => undefined, openSince: async () => undefined };
  const system = { findWorkspace: async () => ({ id: 'w', slug }), measure: async () => 3 * 1_048_576 };
  const discovery = { embeddings: () => embeddings };
  return {
    dataDir: '/nowhere/helve',
    now: () => now,
    storage: {
      workspace: () => ({ audit, recordArchives, sizes: async () => [] }),
      system,
      now: async () => new Date(now.getTime() - storeBehindMs),
    },
    discovery,
    accounts: { vault: { findMissingKey: async () => missingKey }, publicUrl: () => publicUrl },
  } as never;
}

function list(
  { healthy = true, broken = false, policy = false, limit = false, machine = false, vault = false }: Faults,
  record?: 'skip',
) {
  let verified = 0;
  const doctor = createDoctor(
    installation([0], 'default', { missingKey: vault ? { id: 'k1', place: 'there' } : undefined }),
    {
      healthy: async () => {
        if (!healthy) throw new Error('no disk');
        return true;
      },
      async verifyAudit() {
        verified += 1;
        if (!broken) return { ok: true, rows: 4, head };
        return { ok: false, rows: 2, head, firstBroken: { seq: 3, problem: 'row 3 was changed' } };
      },
      doubtfulLimits: async () =>
        limit ? [{ agent: 'scout', toolkit: 'house', tool: 'open', argument: 'too', nearest: 'to' }] : [],
      policies: async () => ({
        withoutEffect: policy ? [{ policy: 'p', path: 'when/tools/0', message: 'no such tool', nearest: 'echo' }] : [],
      }),
      machineChecks: async () => [{ check: 'sandbox', ok: !machine, detail: 'bubblewrap' }],
    } as never,
  );
  return doctor.doctor(by, record === undefined ? {} : { record }).then((checks) => ({ checks, verified }));
}

test('R-cli: an installation without a fault is in order', async () => {
  vi.stubEnv('NODE_EXTRA_CA_CERTS', '');
  const { checks } = await list({});
  expect(checks.map(({ check, state }) => [check, state])).toEqual([
    ['Node.js', 'ok'],
    ['system', 'ok'],
    ['data folder', 'ok'],
    ['public address', 'ok'],
    ['server', 'ok'],
    ['store', 'ok'],
    ['clock', 'ok'],
    ['vault', 'ok'],
    ['record', 'ok'],
    ['sandbox', 'ok'],
    ['packages for documents', 'ok'],
    ['packages for knowledge', 'ok'],
    ['packages for code', 'ok'],
  ]);
  vi.unstubAllEnvs();
});

test.each<[keyof Faults | 'healthy', Faults, string, string]>([
  ['healthy', { healthy: false }, 'server', 'failed'],
  ['broken', { broken: true }, 'record', 'failed'],
  ['vault', { vault: true }, 'vault', 'warning'],
  ['policy', { policy: true }, 'policy p', 'warning'],
  ['limit', { limit: true }, 'grants of scout', 'warning'],
  ['machine', { machine: true }, 'sandbox', 'warning'],
])('R-cli: a fault of %s shows in its row, and in no other', async (_what, faults, row, state) => {
  const { checks } = await list(faults);
  expect(checks.filter((one) => one.state !== 'ok').map((one) => [one.check, one.state])).toEqual([[row, state]]);
  if (row !== 'sandbox') expect(checks.find(({ check }) => check === row)).toHaveProperty('hint');
});

test.each<[string, Partial<EmbeddingProgress>, string, RegExp]>([
  ['no fault', {}, 'ok', /^m: 3 texts of tools have vectors, 2 wait$/],
  ['texts that are refused', { refused: 4 }, 'ok', /2 wait, 4 refused$/],
  [
    'a failure',
    { failure: 'the model at x answered 401' },
    'warning',
    /the last request failed: the model at x answered 401$/,
  ],
  ['no room', { isFull: true }, 'warning', /there is no room for more$/],
])('R-cli: the row of embeddings with %s', async (_what, more, state, detail) => {
  const progress = { model: 'm', vectors: 3, waiting: 2, refused: 0, isFull: false, ...more };
  const asked = {
    healthy: async () => true,
    policies: async () => ({ withoutEffect: [] }),
    doubtfulLimits: async () => [],
    machineChecks: async () => [],
  };
  const checks = await createDoctor(installation([0], 'default', { embeddings: progress }), asked as never).doctor(by, {
    record: 'skip',
  });
  expect(checks.find(({ check }) => check === 'embeddings')).toMatchObject({
    state,
    detail: expect.stringMatching(detail),
  });
});

const answers = {
  healthy: async () => true,
  policies: async () => ({ withoutEffect: [] }),
  doubtfulLimits: async () => [],
  machineChecks: async () => [],
};

test.each<[string, readonly number[], number, RegExp]>([
  ['a clock that is fast', [0], 90_000, /^90 s ahead of that of the store$/],
  ['a clock that is slow', [0], -3_600_000, /^3600 s behind that of the store$/],
  ['a row of tomorrow', [1, -1], 0, /^the newest row of the record is of 2026-05-02T12:00/],
  ['clocks in step', [1, -0.0001], 20_000, /^in step/],
])('R-operate: doctor compares the clocks: %s', async (_what, daysAgo, storeBehindMs, detail) => {
  const doctor = createDoctor(installation(daysAgo, 'default', { storeBehindMs }), answers as never);
  const row = (await doctor.doctor(by, { record: 'skip' })).find(({ check }) => check === 'clock');
  expect(row).toMatchObject({
    state: detail.source.startsWith('^in step') ? 'ok' : 'warning',
    detail: expect.stringMatching(detail),
  });
});

test.each<[string, RegExp | undefined]>([
  ['https://tools.example.com', undefined],
  ['http://localhost:4870/', undefined],
  ['http://[::1]:4870', undefined],
  ['http://tools.example.com', /is not encrypted/],
  ['https://example.com/helve/', /has a path, which the links that Helve writes leave out/],
])('R-operate: doctor looks at the public address %s', async (publicUrl, fault) => {
  const doctor = createDoctor(installation([0], 'default', { publicUrl }), answers as never);
  const row = (await doctor.doctor(by, { record: 'skip' })).find(({ check }) => check === 'public address');
  expect(row).toMatchObject(fault ? { state: 'warning', detail: expect.stringMatching(fault) } : { state: 'ok' });
});

test('R-cli: the record is read only if it is asked for', async () => {
  expect((await list({ broken: true })).verified).toBe(1);
  const { checks, verified } = await list({ broken: true }, 'skip');
  expect([verified, checks.some(({ check }) => check === 'record')]).toEqual([0, false]);
});

test('leak: a setting with the name of a secret is not shown, though its shape does not say so', async () => {
  const settings = [
    { key: 'custom.password', isSet: true, value: 'canary', source: { kind: 'default' } },
    { key: 'custom.colour', isSet: true, value: 'green', source: { kind: 'default' } },
  ] as const;
  const helve = await createTestHelve({ nativeToolkits: [], processSettings: settings });
  try {
    const shown = await helve.plane.settings(helve.admin);
    expect(JSON.stringify(shown)).not.toContain('canary');
    expect(shown[0]).toEqual({ key: 'custom.password', isSet: true, secret: true, source: { kind: 'default' } });
    expect(shown[1]).toEqual(settings[1]);
  } finally {
    await helve.close();
  }
});

test.each<[readonly number[], string, string]>([
  [[20, 9, 6.9, 3, 0], 'default', '3.0 MB; rows in the record: 5, 3 of them in the last 7 days'],
  [[], 'default', '3.0 MB; rows in the record: 0, 0 of them in the last 7 days'],
  [[30, 20, 8], 'default', '3.0 MB; rows in the record: 3, 0 of them in the last 7 days'],
  // How much happens in other workspaces is nothing for the people of this one.
  [[1], 'other', 'rows in the record: 1, 1 of them in the last 7 days'],
])('R-operate: doctor says how large the store is and how fast the record grows: %#', async (daysAgo, slug, detail) => {
  const asked = {
    healthy: async () => true,
    policies: async () => ({ withoutEffect: [] }),
    doubtfulLimits: async () => [],
    machineChecks: async () => [],
  };
  const checks = await createDoctor(installation(daysAgo, slug), asked as never).doctor(by, { record: 'skip' });
  expect(checks.find(({ check }) => check === 'store')).toEqual({ check: 'store', state: 'ok', detail });
});
