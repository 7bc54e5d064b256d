/** One list of what is in order: each fault shows in it, with what to do about it. */
import { expect, test } from 'vitest';
import type { Principal } from '../../domain/principal.js';
import { createTestHelve } from '../../testing/index.js';
import { createDoctor } from './doctor.js';

const by: Principal = { kind: 'user', id: 'ada', name: 'Ada', workspaceId: 'w', permissions: ['audit:read'] };
const head = { seq: 4, hash: '' };

interface Faults {
  readonly healthy?: boolean;
  readonly broken?: boolean;
  readonly policy?: boolean;
  readonly machine?: boolean;
}

function list({ healthy = true, broken = false, policy = false, machine = false }: Faults, record?: 'skip') {
  let verified = 0;
  const doctor = createDoctor({ dataDir: '/nowhere/helve' }, {
    healthy: async () => {
      if (!healthy) throw new Error('no disk');
      return true;
    },
    async verifyAudit() {
      verified += 1;
      if (!broken) return { ok: true, rows: 4, head };
      return { ok: false, rows: 2, head, firstBroken: { seq: 3, problem: 'row 3 was changed' } };
    },
    policies: async () => ({
      withoutEffect: policy ? [{ policy: 'p', path: 'when/tools/0', message: 'no such tool', nearest: 'echo' }] : [],
    }),
    machineChecks: async () => [{ check: 'sandbox', ok: !machine, detail: 'bubblewrap' }],
  } as never);
  return doctor.doctor(by, record === undefined ? {} : { record }).then((checks) => ({ checks, verified }));
}

test('R-cli: an installation without a fault is in order', async () => {
  const { checks } = await list({});
  expect(checks.map(({ check, state }) => [check, state])).toEqual([
    ['Node.js', 'ok'],
    ['data folder', 'ok'],
    ['server', 'ok'],
    ['record', 'ok'],
    ['sandbox', 'ok'],
  ]);
});

test.each<[keyof Faults | 'healthy', Faults, string, string]>([
  ['healthy', { healthy: false }, 'server', 'failed'],
  ['broken', { broken: true }, 'record', 'failed'],
  ['policy', { policy: true }, 'policy p', 'warning'],
  ['machine', { machine: true }, 'sandbox', 'warning'],
])('R-cli: a fault of %s shows in its row, and in no other', async (_what, faults, row, state) => {
  const { checks } = await list(faults);
  expect(checks.filter((one) => one.state !== 'ok').map((one) => [one.check, one.state])).toEqual([[row, state]]);
  if (row !== 'sandbox') expect(checks.find(({ check }) => check === row)).toHaveProperty('hint');
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
