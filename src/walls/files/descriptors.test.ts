import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pin } from './descriptors.js';
import { asFileError } from './failures.js';

test('R-files: a file that is deleted while it is opened is missing, and the message names the requested path', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'helve-'));
  const handle = await open(join(folder, 'notes.md'), 'w');
  try {
    await rm(folder, { recursive: true });
    const thrown = await pin(`/proc/self/fd/${handle.fd}`).catch((error: unknown) => error);
    expect(asFileError(thrown, 'notes.md')).toMatchObject({
      code: 'not_found',
      message: 'There is no "notes.md"',
    });
  } finally {
    await handle.close();
  }
});
