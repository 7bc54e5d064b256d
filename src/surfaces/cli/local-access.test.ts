/** How a process claims its data folder. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claimDataFolder } from './local-access.js';

test('R-cli: a claim that cannot be removed, as on a disk that has become read-only, leaves it to the store to say why', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'helve-claim-'));
  // Not a file that this process could remove.
  mkdirSync(join(folder, 'served-by.json'));
  const release = await claimDataFolder(folder);
  expect(release).not.toThrow();
  rmSync(folder, { recursive: true });
});
