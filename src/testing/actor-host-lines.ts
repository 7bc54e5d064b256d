/** The contract of actor hosts, its part about events: one at a time, once, in order, completely or not at all, and in time. */
import { expect, it } from 'vitest';
import type { ActorAddress, ActorHost } from '../domain/actor-host.js';
import type { HostParts } from './actor-host-ground.js';
import { note, script, seen } from './actor-script.js';

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

export async function whatItSaw(host: ActorHost, actor: ActorAddress) {
  return seen((await host.read(actor))?.snapshot);
}

export function linesContract({ open, address, elsewhere }: HostParts): void {
  it('starts an actor once, whatever its input was', async () => {
    const [{ host }, { host: other }] = [await open(), await open()];
    const actor = address('a');
    const starts = [host, other, host, other].map((one, index) => one.start(actor, { index }));
    expect((await Promise.all(starts)).filter((isNew) => isNew)).toHaveLength(1);
    expect(await other.start(actor, { more: 1 })).toBe(false);
    expect(await host.start(elsewhere(actor), {})).toBe(true);
    await expect(host.start(address('b'), { refuse: true })).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await host.read(address('b'))).toBeUndefined();
    await expect(host.send(address('b'), note(1), { id: 'e' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('R-machines: applies events in the order in which they were accepted, from whichever process', async () => {
    const [{ host }, { host: other }] = [await open(), await open()];
    const actor = address('a');
    await host.start(actor, {});
    const sendAll = async (from: ActorHost, name: string): Promise<void> => {
      for (const n of range(40)) await from.send(actor, note(`${name}${n}`), { id: `${name}${n}` });
    };
    await Promise.all([sendAll(host, 'x'), sendAll(other, 'y')]);
    await expect.poll(() => whatItSaw(host, actor)).toHaveLength(80);
    const labels = await whatItSaw(other, actor);
    for (const name of ['x', 'y'])
      expect(labels.filter((label) => String(label).startsWith(name))).toEqual(range(40).map((n) => `${name}${n}`));
    expect((await host.read(actor))?.version).toBe(80);
  });

  it('R-machines: applies an event once for each id', async () => {
    const [{ host }, { host: other }] = [await open(), await open()];
    const actor = address('a');
    await host.start(actor, {});
    const sent = await Promise.all(
      range(10).map((n) => (n % 2 === 0 ? host : other).send(actor, note(`try ${n}`), { id: 'same' })),
    );
    expect(sent.filter((isNew) => isNew)).toHaveLength(1);
    await host.send(actor, note('last'), { id: 'last' });
    await expect.poll(() => whatItSaw(host, actor)).toContain('last');
    // Also after it was applied.
    expect(await other.send(actor, note('again'), { id: 'same' })).toBe(false);
    expect(await whatItSaw(host, actor)).toHaveLength(2);
  });

  it('keeps the order between two actors', async () => {
    const { host } = await open();
    const [a, b] = [address('a'), address('b', 'repo')];
    for (const actor of [a, b]) await host.start(actor, {});
    for (const n of range(30)) {
      const messages = [`${n}.1`, `${n}.2`].map((label) => ({ do: 'send', to: b, event: note(label) }) as const);
      await host.send(a, script(`${n}`, ...messages), { id: `${n}` });
    }
    await expect.poll(() => whatItSaw(host, b)).toHaveLength(60);
    expect(await whatItSaw(host, b)).toEqual(range(30).flatMap((n) => [`${n}.1`, `${n}.2`]));
  });

  it('makes the effects of an event together or not at all', async () => {
    const { host } = await open();
    const [a, b, c] = [address('a'), address('b', 'pr'), address('c', 'org')];
    for (const actor of [a, b]) await host.start(actor, {});
    const effects = [
      { do: 'start', actor: c, input: { from: 'a' } },
      { do: 'send', to: c, event: note('to c') },
      { do: 'send', to: b, event: note('to b') },
      { do: 'set_timer', name: 't', delayMs: 3_600_000, event: note('timer') },
      { do: 'work', name: 'nobody', input: { n: 1 } },
    ] as const;
    const refused = { do: 'start', actor: address('d'), input: { refuse: true } } as const;
    await host.send(a, script('bad', ...effects, refused), { id: 'bad' });
    await host.send(a, note('between'), { id: 'between' });
    await expect.poll(() => whatItSaw(host, a)).toEqual(['between']);
    expect([await host.read(c), await whatItSaw(host, b)]).toEqual([undefined, []]);
    expect(await host.read(a)).toMatchObject({ timers: [], work: [] });

    await host.send(a, script('good', ...effects), { id: 'good' });
    await expect.poll(() => whatItSaw(host, c)).toEqual(['to c']);
    await expect.poll(() => whatItSaw(host, b)).toEqual(['to b']);
    expect((await host.read(c))?.snapshot.context.input).toEqual({ from: 'a' });
    expect(await host.read(a)).toMatchObject({
      timers: [{ name: 't', event: note('timer') }],
      work: [{ name: 'nobody' }],
    });
  });

  it('sets aside an event that the machine throws at, and continues', async () => {
    const { host } = await open();
    const actor = address('a');
    await host.start(actor, {});
    await host.send(actor, note(1), { id: '1' });
    await host.send(actor, { type: 'POISON', label: 'bottle' }, { id: '2' });
    await host.send(actor, note(3), { id: '3' });
    await expect.poll(() => whatItSaw(host, actor)).toEqual([1, 3]);
    const view = await host.read(actor);
    expect(view?.version).toBe(2);
    expect(view?.events).toMatchObject([
      { id: '1', value: 'idle' },
      { id: '2', setAside: 'Poisoned: bottle' },
      { id: '3', value: 'idle' },
    ]);
    expect(view?.events[1]?.value).toBeUndefined();
    // It is not tried again.
    expect(await host.send(actor, note(2), { id: '2' })).toBe(false);
  });

  it('changes nothing after the end of an actor', async () => {
    const { host } = await open();
    const actor = address('a');
    await host.start(actor, {});
    await host.send(actor, { type: 'FINISH' }, { id: '1' });
    await host.send(actor, note('late'), { id: '2' });
    await expect.poll(async () => (await host.read(actor))?.events).toHaveLength(2);
    expect((await host.read(actor))?.snapshot).toMatchObject({
      status: 'done',
      value: 'done',
      context: { seen: ['FINISH'] },
    });
  });

  it('applies a delayed event after its delay, and only then', async () => {
    const [{ host }, { host: other }] = [await open(), await open()];
    const actor = address('a');
    await host.start(actor, {});
    const startedAt = performance.now();
    expect(await other.send(actor, note('later'), { id: 'later', delayMs: 2_500 })).toBe(true);
    expect(await host.send(actor, note('later'), { id: 'later' })).toBe(false);
    await host.send(actor, note('sooner'), { id: 'sooner', delayMs: 300 });
    await host.send(actor, note('now'), { id: 'now' });
    await expect.poll(() => whatItSaw(host, actor), { interval: 20 }).toHaveLength(3);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(2_499);
    expect(await whatItSaw(host, actor)).toEqual(['now', 'sooner', 'later']);
  });

  it('lets a timer ring once; one with its name replaces it, and a cleared one does not ring', async () => {
    const { host } = await open();
    const actor = address('a');
    await host.start(actor, {});
    const timer = (name: string, label: string, delayMs: number) =>
      ({ do: 'set_timer', name, delayMs, event: note(label) }) as const;
    await host.send(actor, script('1', timer('x', 'replaced', 2_000), timer('y', 'cleared', 2_000)), { id: '1' });
    await host.send(actor, script('2', timer('x', 'rings', 2_200), { do: 'clear_timer', name: 'y' }), { id: '2' });
    await host.send(actor, script('3', timer('z', 'last', 2_500)), { id: '3' });
    await expect.poll(async () => (await host.read(actor))?.timers.map(({ name }) => name)).toEqual(['x', 'z']);
    await expect.poll(() => whatItSaw(host, actor)).toContain('last');
    expect(await whatItSaw(host, actor)).toEqual(['1', '2', '3', 'rings', 'last']);
    expect((await host.read(actor))?.timers).toEqual([]);
  });

  it('lets a timer ring after a restart, no matter which process set it', async () => {
    const first = await open();
    const actor = address('a');
    await first.host.start(actor, {});
    const timer = { do: 'set_timer', name: 't', delayMs: 2_000, event: note('ring') } as const;
    await first.host.send(actor, script('set', timer), { id: 'set' });
    await expect.poll(async () => (await first.host.read(actor))?.timers).toHaveLength(1);
    await first.host.send(actor, note('delayed'), { id: 'delayed', delayMs: 2_050 });
    await first.crash();
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    const { host } = await open();
    await expect.poll(() => whatItSaw(host, actor)).toEqual(['set', 'ring', 'delayed']);
  });

  it('continues in another process when the one that drives ends or is closed', async () => {
    const first = await open();
    const second = await open();
    const actor = address('a');
    await first.host.start(actor, {});
    await first.host.send(actor, note(1), { id: '1' });
    await expect.poll(() => whatItSaw(second.host, actor)).toEqual([1]);
    await first.crash();
    await second.host.send(actor, note(2), { id: '2' });
    await expect.poll(() => whatItSaw(second.host, actor)).toEqual([1, 2]);
    const third = await open();
    await second.close();
    await third.host.send(actor, note(3), { id: '3' });
    await expect.poll(() => whatItSaw(third.host, actor)).toEqual([1, 2, 3]);
  });

  it('removes an actor with its events and timers; the next of its name begins as a new one', async () => {
    const [{ host }, { host: other }] = [await open(), await open()];
    const [actor, bystander] = [address('a'), address('b')];
    for (const one of [actor, bystander, elsewhere(actor)]) await host.start(one, {});
    const timer = { do: 'set_timer', name: 't', delayMs: 300, event: note('ring') } as const;
    await host.send(actor, script('1', timer, { do: 'send', to: bystander, event: note('hello') }), { id: '1' });
    await host.send(actor, note('delayed'), { id: 'delayed', delayMs: 300 });
    await expect.poll(() => whatItSaw(host, bystander)).toEqual(['hello']);
    expect(await other.stop(actor)).toBe(true);
    expect(await host.stop(actor)).toBe(false);
    expect(await host.read(actor)).toBeUndefined();
    expect(await host.read(elsewhere(actor))).toBeDefined();
    await expect(host.send(actor, note(2), { id: '2' })).rejects.toMatchObject({ code: 'not_found' });
    // A message to it is lost, and harms nobody.
    await host.send(bystander, script('2', { do: 'send', to: actor, event: note('lost') }), { id: '2' });
    await expect.poll(() => whatItSaw(host, bystander)).toEqual(['hello', '2']);

    expect(await host.start(actor, {})).toBe(true);
    await host.send(actor, script('1', { do: 'send', to: bystander, event: note('new hello') }), { id: '1' });
    await expect.poll(() => whatItSaw(host, bystander)).toEqual(['hello', '2', 'new hello']);
    await host.send(actor, note('end'), { id: 'end', delayMs: 400 });
    await expect.poll(() => whatItSaw(host, actor)).toEqual(['1', 'end']);
  });
}
