import { expect, test } from 'vitest';
import { eventStream } from './event-stream.js';

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
