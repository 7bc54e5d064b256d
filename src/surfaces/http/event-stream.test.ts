import { describe, expect, test } from 'vitest';
import { HelveError } from '../../domain/errors.js';
import { eventStream, followStream } from './event-stream.js';

test('R-stream: a client that is far behind gets no more progress, but gets the end', async () => {
  const kind = { name: 'step', isPassing: (event: string) => event === 'progress' };
  const { body } = eventStream(new Request('http://localhost'), kind, async (send) => {
    for (let step = 0; step < 3_000; step += 1) send('progress');
    send('the end');
  });
  const text = await new Response(body).text();
  const sent = text.match(/data: "progress"/g)?.length ?? 0;
  expect(sent).toBeGreaterThan(900);
  expect(sent).toBeLessThan(1_100);
  expect(text).toContain('data: "the end"');
});

describe('R-stream: what is followed', () => {
  const kind = { name: 'step', isPassing: () => false };
  const request = new Request('http://localhost');
  let steps: string[];
  let signalled: AbortSignal;

  async function* follow(signal: AbortSignal) {
    signalled = signal;
    steps = [];
    try {
      yield 'as it is';
      yield 'later';
    } finally {
      steps.push('closed');
    }
  }

  test('is sent from its first event to its last', async () => {
    const response = await followStream(request, kind, { follow });
    const text = await response.text();
    expect(text.match(/data: .*/g)).toEqual(['data: "as it is"', 'data: "later"']);
    expect(steps).toEqual(['closed']);
  });

  test('is closed after the first event if only that is asked for', async () => {
    const response = await followStream(request, kind, { follow, isOnce: true });
    const text = await response.text();
    expect(text.match(/data: .*/g)).toEqual(['data: "as it is"']);
    expect(steps).toEqual(['closed']);
    expect(signalled.aborted).toBe(false);
  });

  test('is refused before the response begins', async () => {
    async function* refuse(): AsyncGenerator<string> {
      yield* [];
      throw new HelveError('not_found', 'There is no such thing');
    }
    await expect(followStream(request, kind, { follow: refuse })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('is told when its reader has gone', async () => {
    const ended = new Promise<void>((resolve) => {
      async function* waits(signal: AbortSignal) {
        yield 'as it is';
        await new Promise((gone) => signal.addEventListener('abort', gone, { once: true }));
        resolve();
      }
      void followStream(request, kind, { follow: waits }).then(async ({ body }) => {
        const reader = body!.getReader();
        while (!new TextDecoder().decode((await reader.read()).value).includes('as it is'));
        await reader.cancel();
      });
    });
    await ended;
  });
});
