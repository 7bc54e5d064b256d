/** Namespaces for tests: other processes, host names and disks than those of this machine, by `unshare` of util-linux. */
import { spawnSync } from 'node:child_process';

/**
 * The words of a command that runs what follows them in namespaces of its own, such as `--pid --fork`; undefined where this
 * machine makes none. Root in a container may not be root enough: then a user namespace makes it so.
 */
export function findUnshare(...namespaces: readonly string[]): readonly string[] | undefined {
  const ways = [[], ['--user', '--map-root-user']].map((user) => ['unshare', ...user, ...namespaces]);
  return ways.find(([program = '', ...words]) => spawnSync(program, [...words, 'true']).status === 0);
}
