/** The contract of actor hosts, its part about long work: outside the line, begun again when its process ended, and stopped. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { ActorJob, WorkHandler } from '../domain/actor-host.js';
import type { HostParts } from './actor-host-ground.js';
import { whatItSaw } from './actor-host-lines.js';
import { note, script } from './actor-script.js';

const work = (name: string, input = {}) => ({ do: 'work', name, input }) as const;

/** Works until it is stopped. */
const endless: WorkHandler = async ({ signal }) => {
  await sleep(60_000, undefined, { signal });
  return undefined;
};

export function workContract({ open, address, elsewhere }: HostParts): void {
  it('does work outside the line, and sends the actor what its handler returns', async () => {
    const { host } = await open();
    const actor = address('a');
    const jobs: ActorJob[] = [];
    let finish = (): void => undefined;
    host.work('paint', async (job) => {
      jobs.push(job);
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return { type: 'PAINTED', label: 'painted' };
    });
    host.work('silent', async (job) => void jobs.push(job));
    await host.start(actor, {});
    await host.send(actor, script('begin', work('paint', { colour: 'red' }), work('silent')), { id: '1' });
    await expect.poll(() => jobs).toHaveLength(2);
    expect(jobs.find(({ name }) => name === 'paint')).toMatchObject({ actor, attempt: 1, input: { colour: 'red' } });
    // Meanwhile the actor handles events.
    await host.send(actor, note('meanwhile'), { id: '2' });
    await expect.poll(() => whatItSaw(host, actor)).toEqual(['begin', 'meanwhile']);
    await expect.poll(async () => (await host.read(actor))?.work).toMatchObject([{ name: 'paint', attempt: 1 }]);
    finish();
    await expect.poll(() => whatItSaw(host, actor)).toEqual(['begin', 'meanwhile', 'painted']);
    expect((await host.read(actor))?.work).toEqual([]);
  });

  it('begins work when somebody does work of its name', async () => {
    const [first, second] = [await open(), await open()];
    const actor = address('a');
    await first.host.start(actor, {});
    await first.host.send(actor, script('begin', work('late')), { id: '1' });
    await expect.poll(async () => (await first.host.read(actor))?.work).toHaveLength(1);
    for (const { host } of [first, second]) host.work('late', async () => ({ type: 'DONE' }));
    await expect.poll(() => whatItSaw(first.host, actor)).toEqual(['begin', 'DONE']);
  });

  it('no longer gives work to a handler that ended', async () => {
    const { host } = await open();
    const actor = address('a');
    const end = host.work('once', async () => ({ type: 'OLD' }));
    expect(() => host.work('once', async () => undefined)).toThrow(expect.objectContaining({ code: 'conflict' }));
    end();
    host.work('once', async () => ({ type: 'NEW' }));
    await host.start(actor, {});
    await host.send(actor, script('begin', work('once')), { id: '1' });
    await expect.poll(() => whatItSaw(host, actor)).toEqual(['begin', 'NEW']);
  });

  it('attempts work again that throws, under the same id', async () => {
    const { host } = await open();
    const actor = address('a');
    const seen: (readonly [string, number])[] = [];
    host.work('shaky', async ({ id, attempt }) => {
      seen.push([id, attempt]);
      if (attempt < 3) throw new Error('not yet');
      return { type: 'DONE', label: attempt };
    });
    await host.start(actor, {});
    await host.send(actor, script('begin', work('shaky')), { id: '1' });
    await expect.poll(() => whatItSaw(host, actor)).toEqual(['begin', 3]);
    expect(seen.map(([, attempt]) => attempt)).toEqual([1, 2, 3]);
    expect(new Set(seen.map(([id]) => id)).size).toBe(1);
  });

  it('tells the actor after the last of ten attempts', async () => {
    const { host } = await open();
    const actor = address('a');
    let attempts = 0;
    host.work('hopeless', async () => {
      attempts += 1;
      throw new Error('never');
    });
    await host.start(actor, {});
    await host.send(actor, script('begin', work('hopeless')), { id: '1' });
    await expect
      .poll(async () => (await host.read(actor))?.events.at(-1)?.event)
      .toEqual({
        type: 'WORK_FAILED',
        work: 'hopeless',
        message: 'never',
      });
    expect([attempts, (await host.read(actor))?.work]).toEqual([10, []]);
  });

  it('R-machines: begins work again whose process ended, with the next attempt', async () => {
    const first = await open();
    const actor = address('a');
    const jobs: ActorJob[] = [];
    first.host.work('long', async (job) => {
      jobs.push(job);
      return endless(job);
    });
    await first.host.start(actor, {});
    await first.host.send(actor, script('begin', work('long', { n: 1 })), { id: '1' });
    await expect.poll(() => jobs).toHaveLength(1);
    const second = await open();
    await first.crash();
    second.host.work('long', async (job) => {
      jobs.push(job);
      return { type: 'DONE', label: job.attempt };
    });
    await expect.poll(() => whatItSaw(second.host, actor)).toEqual(['begin', 2]);
    const [one, two] = jobs;
    expect(two).toMatchObject({ id: one?.id, input: { n: 1 }, attempt: 2 });
    // Its process no longer owns it.
    expect(one?.signal.aborted).toBe(true);
  });

  it('stops work when the actor says so, or begins work of that name', async () => {
    const { host } = await open();
    const actor = address('a');
    const jobs: ActorJob[] = [];
    host.work('long', async (job) => {
      jobs.push(job);
      return endless(job);
    });
    await host.start(actor, {});
    await host.send(actor, script('1', work('long')), { id: '1' });
    await expect.poll(() => jobs).toHaveLength(1);
    await host.send(actor, script('2', work('long')), { id: '2' });
    await expect.poll(() => jobs).toHaveLength(2);
    expect(jobs.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    expect(jobs[0]?.id).not.toBe(jobs[1]?.id);
    await host.send(actor, script('3', { do: 'stop_work', name: 'long' }), { id: '3' });
    await expect.poll(() => jobs[1]?.signal.aborted).toBe(true);
    await host.send(actor, note('end'), { id: '4' });
    await expect.poll(() => whatItSaw(host, actor)).toEqual(['1', '2', '3', 'end']);
    expect((await host.read(actor))?.work).toEqual([]);
  });

  it('stops the work of an actor that another process removes', async () => {
    const [first, second] = [await open(), await open()];
    const actor = address('a');
    const jobs: ActorJob[] = [];
    for (const { host } of [first, second])
      host.work('long', async (job) => {
        jobs.push(job);
        return endless(job);
      });
    await first.host.start(actor, {});
    await first.host.send(actor, script('1', work('long')), { id: '1' });
    await expect.poll(() => jobs).toHaveLength(1);
    expect(await second.host.stop(actor)).toBe(true);
    await expect.poll(() => jobs[0]?.signal.aborted).toBe(true);
    expect(await first.host.read(actor)).toBeUndefined();
  });

  it('keeps the last heartbeat of work, and finds actors whose work is silent', async () => {
    const { host } = await open();
    const [actor, idle] = [address('a'), address('idle')];
    host.work('long', async (job) => {
      await job.heartbeat({ step: 1 });
      return endless(job);
    });
    for (const one of [actor, idle, elsewhere(actor)]) await host.start(one, {});
    await host.send(actor, script('1', work('long')), { id: '1' });
    // The work has it before its actor.
    await expect.poll(async () => (await host.read(actor))?.progress).toEqual({ step: 1 });
    const view = await host.read(actor);
    expect(view?.work[0]?.progress).toEqual({ step: 1 });
    const [heartbeat, ownHeartbeat] = [view?.work[0]?.lastHeartbeat ?? '', view?.lastHeartbeat ?? ''];
    expect([heartbeat, ownHeartbeat].every((at) => Date.parse(at) > 0)).toBe(true);
    const { workspaceId } = actor;
    const silentSince = async (at: number) => {
      const page = await host.list({ workspaceId, silentSince: new Date(at).toISOString() });
      return page.actors.map(({ actor: { id } }) => id).filter((id) => id === actor.id || id === idle.id);
    };
    expect(await silentSince(Date.parse(heartbeat))).toEqual([]);
    expect(await silentSince(Date.parse(heartbeat) + 60_000)).toEqual([actor.id]);

    await host.heartbeat(idle, { elsewhere: true });
    expect(await host.read(idle)).toMatchObject({ lastHeartbeat: expect.any(String), progress: { elsewhere: true } });
    await expect(host.heartbeat(address('nobody'))).rejects.toMatchObject({ code: 'not_found' });
  });
}
