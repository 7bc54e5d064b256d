/** What the record says of who used the command line: the operating system's user, since nobody signs in there. */
import { userInfo } from 'node:os';
import type { JsonObject } from '../../domain/json.js';

export const commandLine = (): JsonObject => ({ through: 'command line', user: findUser() });

/** A user without an entry in the operating system has only a number. */
function findUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
