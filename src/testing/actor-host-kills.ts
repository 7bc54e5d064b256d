/**
 * The contract of actor hosts, its part about kills: two processes, one of which is killed at a random moment, again and again,
 * while events arrive. Afterwards every event, message, timer and result of work was seen once, and in order.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { ActorAddress, ActorEvent, ActorHost } from '../domain/actor-host.js';
import { type ChildRequest, makeEffects } from './actor-child.js';
import { note, script, seen } from './actor-script.js';

export interface KillCampaign {
  readonly workspaceId: string;
  /** The folder with the `main.js` of a process that serves a host (`actor-child.ts`), and its arguments. */
  readonly folder: string;
  readonly parameters: readonly string[];
  /** The last process, which is not killed. */
  readonly host: () => Promise<ActorHost>;
  readonly kills: number;
  readonly actors: number;
  readonly events: number;
}

/** How long a process lives between opening and its kill, at most. */
const lifeMs = 600;

export async function killAndCount(campaign: KillCampaign): Promise<void> {
  const { workspaceId, kills, actors, events } = campaign;
  const folder = await mkdtemp(join(tmpdir(), 'helve-kills-'));
  const effects = join(folder, 'effects');
  await writeFile(effects, '');
  const crew = createCrew(campaign, effects);
  const issue = (n: number): ActorAddress => ({ workspaceId, kind: 'issue', id: `i${n % actors}` });
  const worker = (n: number, event: number): ActorAddress => ({ workspaceId, kind: 'pr', id: `i${n}-${event}` });

  function story(n: number, event: number): ActorEvent {
    const label = `${n}.${event}`;
    const helper = worker(n, event);
    return script(
      label,
      { do: 'send', to: issue(n + 1), event: note(`from ${label}`) },
      { do: 'set_timer', name: label, delayMs: 30, event: note(`ring ${label}`) },
      { do: 'start', actor: helper, input: {} },
      { do: 'send', to: helper, event: script('go', { do: 'work', name: 'effect', input: { label } }) },
    );
  }
  async function tell(n: number): Promise<void> {
    await crew.ask({ actor: issue(n) });
    for (let event = 0; event < events; event++)
      await crew.ask({ actor: issue(n), send: { id: `${n}.${event}`, event: story(n, event) } });
  }
  try {
    const all = Array.from({ length: actors }, (_, n) => n);
    await Promise.all([...all.map((n) => crew.ask({ actor: issue(n) }))]);
    let told = false;
    const telling = Promise.all(all.map(tell)).finally(() => {
      told = true;
    });
    for (let kill = 0; kill < kills || !told; kill++) {
      await sleep(Math.random() * lifeMs);
      if (kill < kills) await crew.kill(kill % 2 === 0);
    }
    await telling;
    await crew.end();
    const host = await campaign.host();
    host.work('effect', makeEffects(effects));
    const label = (n: number, event: number) => `${n}.${event}`;
    const numbers = Array.from({ length: events }, (_, event) => event);
    const read = async (actor: ActorAddress) => seen((await host.read(actor))?.snapshot).map(String);
    for (const n of all) {
      const before = (n + actors - 1) % actors;
      await expect.poll(() => read(issue(n)), { timeout: 30_000 }).toHaveLength(3 * events);
      const labels = await read(issue(n));
      expect(labels.filter((one) => /^\d/.test(one))).toEqual(numbers.map((event) => label(n, event)));
      expect(labels.filter((one) => /^from/.test(one))).toEqual(numbers.map((event) => `from ${label(before, event)}`));
      const rings = labels.filter((one) => /^ring/.test(one)).sort();
      expect(rings).toEqual(numbers.map((event) => `ring ${label(n, event)}`).sort());
      for (const event of numbers)
        await expect
          .poll(() => read(worker(n, event)), { timeout: 30_000 })
          .toEqual(['go', `worked ${label(n, event)}`]);
    }
    const made = (await readFile(effects, 'utf8')).trim().split('\n');
    const expected = all.flatMap((n) => numbers.map((event) => label(n, event)));
    expect(made.map((line) => line.split(' ')[1]).sort()).toEqual(expected.sort());
  } finally {
    await crew.end();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Two processes that are asked in turn. What a killed one has not acknowledged is asked again, of another. */
function createCrew({ folder, parameters }: KillCampaign, effects: string) {
  const open = new Map<number, { readonly request: ChildRequest; readonly resolve: () => void }>();
  const members = new Set<ChildProcess>();
  let count = 0;
  let isOver = false;

  function join(): Promise<void> {
    const child = spawn(process.execPath, ['main.js', ...parameters, effects], {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdin.on('error', () => undefined);
    return new Promise((resolve) => {
      child.stdout.on('data', (chunk) => {
        text += String(chunk);
        const lines = text.split('\n');
        text = lines.pop() ?? '';
        for (const line of lines) {
          if (line === 'open') {
            members.add(child);
            for (const { request } of open.values()) child.stdin.write(`${JSON.stringify(request)}\n`);
            resolve();
          } else {
            open.get(Number(line))?.resolve();
            open.delete(Number(line));
          }
        }
      });
      child.once('close', () => {
        members.delete(child);
        resolve();
      });
    });
  }
  const ready = Promise.all([join(), join()]);

  return {
    async ask(request: Omit<ChildRequest, 'n'>): Promise<void> {
      await ready;
      const whole = { ...request, n: ++count };
      const done = new Promise<void>((resolve) => open.set(whole.n, { request: whole, resolve }));
      // Both may be asked: an event is accepted once.
      for (const child of members) child.stdin?.write(`${JSON.stringify(whole)}\n`);
      return done;
    },
    /** Of two that take turns, the older one drives: chance alone might seldom hit it. */
    async kill(oldest: boolean): Promise<void> {
      await ready;
      const all = [...members];
      const child = all[oldest ? 0 : Math.floor(Math.random() * all.length)];
      if (!child || isOver) return;
      child.kill('SIGKILL');
      await join();
    },
    async end(): Promise<void> {
      isOver = true;
      for (const child of members) {
        const closed = new Promise((resolve) => child.once('close', resolve));
        child.kill('SIGKILL');
        await closed;
      }
    },
  };
}
