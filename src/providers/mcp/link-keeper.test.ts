/** A keeper that is closed opens nothing any more, also where a caller waits for the pause after failures. */
import { expect, it } from 'vitest';
import { createLinkKeeper } from './link-keeper.js';

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
