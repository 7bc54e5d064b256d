/** The two stores that are used while processes are killed; each is made for one run and removed after it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * @param {'sqlite' | 'postgres'} kind
 * @returns {Promise<{ kind: string, location: string, effects: string, remove: () => Promise<void> }>}
 */
export async function createStore(kind) {
  const folder = mkdtempSync(join(tmpdir(), `helve-crash-${kind}-`));
  const effects = join(folder, 'effects.jsonl');
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  if (kind === 'sqlite') {
    return { kind, effects, location: join(folder, 'helve.db'), remove: async () => removeFolder() };
  }
  // Not part of the package: only the tests have the server's binaries.
  const { startPostgres } = await import('../../dist/testing/postgres.js');
  const server = await startPostgres();
  return {
    kind,
    effects,
    location: await server.url(),
    async remove() {
      await server.stop();
      removeFolder();
    },
  };
}
