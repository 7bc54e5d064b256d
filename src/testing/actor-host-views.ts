/** The contract of actor hosts, its part about reading: an actor, a list of them, and what happens to one. */
import { expect, it } from 'vitest';
import type { ActorView } from '../domain/actor-host.js';
import type { HostParts } from './actor-host-ground.js';
import { note, seen } from './actor-script.js';

export function viewsContract({ open, address, elsewhere }: HostParts): void {
  it('reads an actor with its last fifty events, oldest first', async () => {
    const { host } = await open();
    const actor = address('a');
    await host.start(actor, { colour: 'red' });
    expect(await host.read(actor)).toMatchObject({ actor, version: 0, timers: [], work: [], events: [] });
    for (let n = 1; n <= 60; n++) await host.send(actor, note(n), { id: `e${n}` });
    await expect.poll(async () => (await host.read(actor))?.version).toBe(60);
    const view = await host.read(actor);
    expect(view?.events.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, n) => `e${n + 11}`));
    expect(view?.events[0]).toMatchObject({ event: note(11), value: 'idle', at: expect.stringMatching(/Z$/) });
    const { createdAt = '', updatedAt = '' } = view ?? {};
    expect(createdAt <= updatedAt).toBe(true);
    expect(await host.read(elsewhere(actor))).toBeUndefined();
  });

  it('lists the actors of a workspace by kind and outermost state, newest first, in pages', async () => {
    const { host } = await open();
    const kind = 'project';
    const actors = ['a', 'b', 'c'].map((name) => address(name, kind));
    for (const actor of actors) await host.start(actor, {});
    const [first] = actors;
    if (!first) throw new Error('There are no actors');
    await host.start(elsewhere(first), {});
    await host.send(first, { type: 'STATE', value: { executing: 'working' } }, { id: '1' });
    await expect.poll(async () => (await host.read(first))?.version).toBe(1);
    const { workspaceId } = first;
    const list = async (query: object) => host.list({ workspaceId, kind, ...query });
    expect((await list({})).actors.map(({ actor }) => actor)).toEqual([...actors].reverse());
    expect((await list({ state: 'executing' })).actors.map(({ actor }) => actor)).toEqual([first]);
    expect((await list({ state: 'working' })).actors).toEqual([]);
    const page = await list({ limit: 2 });
    expect(page.actors).toHaveLength(2);
    const rest = await list({ limit: 2, after: page.next });
    expect(rest).toEqual({ actors: [expect.objectContaining({ actor: first })] });
    expect(Object.keys(page.actors[0] ?? {})).not.toContain('events');
  });

  it('follows an actor from each process until it is removed, or the signal ends it', async () => {
    const [first, second] = [await open(), await open()];
    const actor = address('a');
    await first.host.start(actor, {});
    const views: ActorView[][] = [[], []];
    const stopped = new AbortController();
    const follow = async (index: number, signal?: AbortSignal): Promise<void> => {
      const process = index === 0 ? first : second;
      for await (const view of process.host.follow(actor, signal)) views[index]?.push(view);
    };
    const following = [follow(0), follow(1)];
    const cut = (async () => {
      for await (const view of second.host.follow(actor, stopped.signal)) {
        expect(view.version).toBe(0);
        stopped.abort();
      }
    })();
    await cut;
    await expect.poll(() => views.map(({ length }) => length)).toEqual([1, 1]);
    for (const n of [1, 2]) {
      await (n === 1 ? first : second).host.send(actor, note(n), { id: `${n}` });
      await expect.poll(() => views.map((list) => list.at(-1)?.version)).toEqual([n, n]);
    }
    await second.host.send(actor, { type: 'POISON' }, { id: '3' });
    await expect.poll(() => views.map((list) => list.at(-1)?.events.length)).toEqual([3, 3]);
    for (const list of views) {
      expect(list.map(({ version }) => version)).toEqual([0, 1, 2, 2]);
      expect(seen(list.at(-1)?.snapshot)).toEqual([1, 2]);
    }
    await first.host.stop(actor);
    await Promise.all(following);
    const none: ActorView[] = [];
    for await (const view of first.host.follow(actor)) none.push(view);
    expect(none).toEqual([]);
  });
}
