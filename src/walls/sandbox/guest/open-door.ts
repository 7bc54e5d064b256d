/** The first module of a guest: `engine/machine.ts` loads it and what it imports. */
import type { Beginning } from '../messages.js';
import { makeBridge } from './bridge.js';
import {
  defineConstants,
  defineGlobals,
  defineNamespaces,
  defineRandom,
  refuseLocales,
  removeGlobals,
} from './globals.js';
import { makeKit, type Native } from './kit.js';
import { defineUrls } from './url.js';
import { makeValues } from './values.js';

/** What the engine can call in the guest. */
export type DoorName = keyof ReturnType<typeof openDoor>;

/** Runs once in a new guest, before anything of a program: takes the host's functions and gives the guest's. */
export function openDoor(native: Native) {
  removeGlobals();
  const kit = makeKit();
  const values = makeValues(kit);
  const bridge = makeBridge(kit, values, native);
  const all = { kit, values, bridge, native };
  defineGlobals(all);
  refuseLocales(kit);
  defineUrls(all);
  return {
    /** Before the program is parsed. */
    prepare(beginning: string): void {
      const { limits, seed, globals, namespaces } = kit.parse(beginning) as Beginning;
      bridge.setLimits(limits);
      defineRandom(kit, seed);
      defineConstants(kit, globals);
      defineNamespaces(all, namespaces);
    },
    run: bridge.run,
    answer: bridge.answer,
    fail: bridge.fail,
    ring: bridge.ring,
    take: bridge.take,
  };
}
