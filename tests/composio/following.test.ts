/** R-sync for people: only one at a time in any process, followed from anywhere, cancelled, and from the command line. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient, type HelveClient } from '../../src/api/index.js';
import { HelveError } from '../../src/domain/errors.js';
import { type Composio, startComposio } from '../counterparts/composio/index.js';
import { cleanEnvironment, program, run } from '../e2e/support/server.js';
import { type Child, clientOf, killStrays, type Place, startChild, until } from './child.js';
import { difference, expectedRows, query, rowsBySql } from './kept.js';
import { madeData } from './support.js';

let composio: Composio;
let place: Place;
let clients: [HelveClient, HelveClient];
let children: Child[];
/** Options with which the command line reaches the second process. */
let second: string[];
const slowly = (delayMs: number) => {
  composio.faults.length = 0;
  composio.faults.push({ when: () => true, times: Number.POSITIVE_INFINITY, delayMs });
};

beforeAll(async () => {
  composio = await startComposio(madeData(40), { parameters: 'per-app' });
  const dataDir = await mkdtemp(join(tmpdir(), 'helve-following-'));
  place = { dataDir, location: join(dataDir, 'helve.db') };
  children = [startChild(place, composio)];
  await children[0]?.ready;
  const one = clientOf(place);
  children.push(startChild(place, composio, ['--beside']));
  await children[1]?.ready;
  // The folder's own command line still reaches the first process: the second is selected by its address.
  const url = /Helve serves at\s+(\S+)/.exec(children[1]?.output() ?? '')?.[1] ?? '';
  const { key } = JSON.parse(readFileSync(join(dataDir, 'cli.json'), 'utf8')) as { key: string };
  second = ['--url', url, '--token', key];
  clients = [one, createClient({ url, token: key })];
});
afterAll(async () => {
  killStrays();
  await Promise.all(children.map(({ ended }) => ended));
  await composio.close();
  await rm(place.dataDir, { recursive: true, force: true });
});

const helve = (...args: string[]) => run([...args, ...second]);
const jobs = async () => (await clients[1].call('GET /api/tools/sync-history', { query: {} })).jobs;
/** Directly, because the server limits requests. */
async function newest(): Promise<{ status: string; calls: number }> {
  const [row] = await query(place.location, 'select status, counts from sync_jobs order by started_at desc limit 1');
  return { status: String(row?.status), calls: JSON.parse(String(row?.counts)).calls };
}

describe('one synchronisation', () => {
  test('R-sync: two processes start in parallel: one job, which both can follow to its end, step by step', async () => {
    slowly(15);
    const begun = await Promise.all(
      [...clients, ...clients].map((client) => client.call('POST /api/tools/sync', { body: { kind: 'full' } })),
    );
    const [job] = begun;
    expect(new Set(begun.map(({ id }) => id)).size).toBe(1);
    const seen = await Promise.all(
      clients.map(async (client) => {
        const states = [];
        for await (const state of client.followSync(job?.id ?? '')) states.push(state);
        return states;
      }),
    );
    for (const states of seen) {
      expect(states.length).toBeGreaterThan(1);
      expect(states.at(-1)).toMatchObject({
        status: 'done',
        counts: { apps: 40, actions: 120, triggers: 40, backfilled: 40 },
      });
      const calls = states.map(({ counts }) => counts.calls);
      expect(calls).toEqual([...calls].sort((a, b) => a - b));
    }
    expect(await jobs()).toHaveLength(1);
    expect(composio.requests.length).toBe(seen[0]?.at(-1)?.counts.calls);
    expect(difference(await rowsBySql(place.location), expectedRows(composio.data))).toEqual([]);
  });

  test('R-sync: cancelled by the process that does not run it, it stops; no process continues it', async () => {
    slowly(40);
    composio.setData(madeData(30, 'other'));
    const [one, two] = clients;
    const { id } = await one.call('POST /api/tools/sync', { body: { kind: 'full' } });
    await until(async () => (await newest()).calls > 3);
    const stopped = await two.call('POST /api/tools/sync/:job/cancel', { params: { job: id } });
    expect(stopped).toMatchObject({ id, status: 'cancelled' });
    const asked = composio.requests.length;
    await new Promise((resolve) => setTimeout(resolve, 400));
    // At most the running one, and perhaps the next.
    expect(composio.requests.length - asked).toBeLessThanOrEqual(1);
    expect((await jobs())[0]).toMatchObject({ id, status: 'cancelled', counts: stopped.counts });
    await expect(two.call('POST /api/tools/sync/:job/cancel', { params: { job: id } })).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(two.call('POST /api/tools/sync/:job/cancel', { params: { job: 'none' } })).rejects.toMatchObject({
      code: 'not_found',
    });
    slowly(0);
    const again = await one.call('POST /api/tools/sync', { body: { kind: 'full' } });
    expect(again.id).not.toBe(id);
    for await (const state of two.followSync(again.id)) if (state.status === 'done') break;
    expect(difference(await rowsBySql(place.location), expectedRows(composio.data))).toEqual([]);
  });

  test('R-sync: events from the request that starts it; an unknown job is reported before they begin', async () => {
    slowly(0);
    const response = await clients[0].call('POST /api/tools/sync', { body: { kind: 'incremental' } });
    const states = [];
    for await (const state of clients[0].followSync(response.id)) states.push(state.status);
    expect(states.at(-1)).toBe('done');
    await expect(clients[0].followSync('nothing')[Symbol.asyncIterator]().next()).rejects.toBeInstanceOf(HelveError);
  });

  test('R-sync: the process that runs it dies: the other continues', async () => {
    slowly(50);
    composio.setData(madeData(40, 'third'));
    const { id } = await clients[0].call('POST /api/tools/sync', { body: { kind: 'full' } });
    await until(async () => (await newest()).calls > 3);
    await children[0]?.kill();
    await until(async () => (await newest()).status === 'done', 25_000);
    const [job] = await jobs();
    expect(job).toMatchObject({ id, status: 'done', counts: { apps: 40, backfilled: 40 } });
    expect(difference(await rowsBySql(place.location), expectedRows(composio.data))).toEqual([]);
  });
});

describe('the command line', () => {
  test('R-cli: helve sync reports its results; --changes, --parameters, --history and --json', async () => {
    slowly(0);
    expect(await helve('sync')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Synchronised: 40 apps, 120 actions, 40 triggers, 0 removed'),
    });
    expect((await helve('sync', '--changes')).stdout).toContain('Synchronised: 0 apps, 0 actions');
    expect((await helve('sync', '--parameters', '--limit', '5')).stdout).toContain('0 requests');
    const json = await helve('sync', '--changes', '--json');
    expect([json.code, json.stderr, JSON.parse(json.stdout)]).toEqual([
      0,
      '',
      expect.objectContaining({ kind: 'incremental', status: 'done' }),
    ]);
    const history = await helve('sync', '--history', '--json');
    expect(
      JSON.parse(history.stdout)
        .map(({ kind }: { kind: string }) => kind)
        .slice(0, 3),
    ).toEqual(['incremental', 'parameters', 'incremental']);
    composio.setData({ toolkits: [], tools: [], triggers: [] });
    const failed = await helve('sync');
    expect([failed.code !== 0, failed.stderr]).toEqual([true, expect.stringContaining('lists no apps')]);
    composio.setData(madeData(40, 'third'));
  });

  test('R-cli: a terminal shows a progress bar, which is removed at the end', async () => {
    slowly(30);
    const command = `${process.execPath} ${program} sync ${second.join(' ')}`;
    const { stdout } = await promisify(execFile)('script', ['-qec', command, '/dev/null'], {
      env: cleanEnvironment({ TERM: 'xterm' }),
    });
    expect(stdout).toMatch(/\r\u001b\[2K/);
    expect(stdout).toContain('composio: ');
    expect(stdout.trimEnd()).toMatch(/Synchronised: 40 apps[^\r]*$/);
  });
});
