/**
 * Which modules a guest can load: first its own, the compiled files of `guest/`, and then those that its program may
 * import. The two kinds have different names in the engine, which caches loaded modules, so that a program cannot
 * import the guest's.
 */
import { readFileSync } from 'node:fs';
import { suggestName } from '../../../util/nearest.js';
import type { Beginning } from '../messages.js';

export type GuestFiles = (name: string) => string;

/** The file of `guest/` that imports the others. */
export const firstFile = 'open-door.js';

/** Each file is read once per thread or process. Throws for a name that is not a file. */
export function openGuestFiles(): GuestFiles {
  const folder = new URL('../guest/open-door.js', import.meta.url);
  const kept = new Map<string, string>();
  return (name) => {
    const text = kept.get(name) ?? readFileSync(new URL(name, folder), 'utf8');
    kept.set(name, text);
    return text;
  };
}

const ofGuest = 'guest:';
const ofProgram = 'package:';

/** The `moduleLoader` of an engine. After `allow`, only the given modules are found. */
export function createModuleNames(guestFiles: GuestFiles) {
  let allowed: Beginning['modules'] | undefined;
  return {
    allow(modules: Beginning['modules']): void {
      allowed = modules;
    },
    normalize: (_from: string, name: string): string =>
      allowed === undefined ? ofGuest + name.replace('./', '') : ofProgram + name,
    load: (name: string): string =>
      allowed === undefined
        ? guestFiles(name.slice(ofGuest.length))
        : findModule(allowed, name.slice(ofProgram.length)),
  };
}

/** Names are compared as they are written: nothing is resolved. */
function findModule(modules: Beginning['modules'], name: string): string {
  const source = Object.hasOwn(modules, name) ? modules[name] : undefined;
  if (source !== undefined) return source;
  const hint = suggestName(name, Object.keys(modules), '');
  const error = new Error(`There is no package ${JSON.stringify(name.slice(0, 100))} here. ${hint}`.trimEnd());
  // The engine would copy the stack into the guest, and it contains paths of this machine.
  error.stack = '';
  throw error;
}
