import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('R-tiers: the phrases that the index reads are those of scripts/discovery/lexicon.json', () => {
  const script = fileURLToPath(new URL('../../../scripts/discovery/write-phrases.js', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});
