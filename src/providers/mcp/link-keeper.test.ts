/** When a connection is opened again: not after the keeper is closed, and not while its server is cut off. */
import { afterEach, expect, it, vi } from 'vitest';
import { HelveError } from '../../domain/errors.js';
import type { Link } from './link.js';
import { createLinkKeeper } from './link-keeper.js';

afterEach(() => {
  vi.useRealTimers();
});

it('R-mcp-client: a keeper that is closed during the pause after failures opens nothing', async () => {
  let opened = 0;
  const keeper = createLinkKeeper('Files', async () => {
    opened += 1;
    throw new Error('no');
  });
  for (const _ of ['at once', 'at once']) await expect(keeper.get()).rejects.toMatchObject({ code: 'upstream_failed' });
  expect(opened).toBe(2);
  const waiting = keeper.get();
  waiting.catch(() => undefined);
  await keeper.close();
  await expect(waiting).rejects.toMatchObject({ code: 'shutting_down' });
  expect(opened).toBe(2);
});

it('R-mcp-client: a server that sent too many notifications is left alone, longer each time, until an hour has passed', async () => {
  vi.useFakeTimers();
  let opened = 0;
  const links: { cutOff: Link['cutOff']; alive: boolean }[] = [];
  const keeper = createLinkKeeper('Talks', async () => {
    opened += 1;
    const link = {
      alive: true,
      cutOff: undefined,
      close: async () => undefined,
      client: { getProtocolEra: () => 'legacy' },
    };
    links.push(link);
    return link as unknown as Link;
  });
  const cutOff = (): void => {
    const error = new HelveError('rate_limited', 'The MCP server Talks was cut off');
    Object.assign(links.at(-1)!, { alive: false, cutOff: { error, at: Date.now() } });
  };
  const pauseAfterCutOff = async (): Promise<number> => {
    await keeper.get();
    // It answers correctly in between, which says nothing about its notifications.
    keeper.worked();
    cutOff();
    const before = opened;
    const error = await keeper.get().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'upstream_failed', message: expect.stringContaining('cut off') });
    const { retryAfterSeconds } = (error as HelveError).details as { retryAfterSeconds: number };
    await vi.advanceTimersByTimeAsync(retryAfterSeconds * 1_000 - 1);
    await expect(keeper.get()).rejects.toMatchObject({ code: 'upstream_failed' });
    expect(opened).toBe(before);
    await vi.advanceTimersByTimeAsync(1);
    await keeper.get();
    expect(opened).toBe(before + 1);
    return retryAfterSeconds;
  };
  const pauses: number[] = [];
  for (let times = 0; times < 6; times += 1) pauses.push(await pauseAfterCutOff());
  expect(pauses).toEqual([30, 60, 120, 240, 480, 600]);
  await vi.advanceTimersByTimeAsync(60 * 60_000);
  expect(await pauseAfterCutOff()).toBe(30);
});
