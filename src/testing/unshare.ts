/** Namespaces for tests, with other processes, host names and disks than this machine's, by `unshare` of util-linux. */
import { spawnSync } from 'node:child_process';

/**
 * Returns the words of a command that runs the following words in new namespaces, such as `--pid --fork`; undefined if this
 * machine cannot create any. Root in a container may lack the rights: then a user namespace provides them.
 */
export function findUnshare(...namespaces: readonly string[]): readonly string[] | undefined {
  const ways = [[], ['--user', '--map-root-user']].map((user) => ['unshare', ...user, ...namespaces]);
  return ways.find(([program = '', ...words]) => spawnSync(program, [...words, 'true']).status === 0);
}
