/** The text that a new guest runs first. Its value is a function: it takes the host's functions and gives the guest's door. */
import type { Beginning } from '../messages.js';
import { makeBridge } from './bridge.js';
import { defineConstants, defineGlobals, defineNamespaces, defineRandom, removeGlobals } from './globals.js';
import { makeKit, type Native } from './kit.js';
import { defineUrls } from './url.js';
import { makeValues } from './values.js';

/** What the engine can call in the guest. */
export type DoorName = keyof ReturnType<typeof openDoor>;

const parts = {
  makeKit,
  makeValues,
  makeBridge,
  defineGlobals,
  removeGlobals,
  defineRandom,
  defineNamespaces,
  defineConstants,
  defineUrls,
};

function openDoor(own: typeof parts, native: Native) {
  own.removeGlobals();
  const kit = own.makeKit();
  const values = own.makeValues(kit);
  const bridge = own.makeBridge(kit, values, native);
  const all = { kit, values, bridge, native };
  own.defineGlobals(all);
  own.defineUrls(all);
  return {
    /** Before the program is parsed. */
    prepare(beginning: string): void {
      const { limits, seed, globals, namespaces } = kit.parse(beginning) as Beginning;
      bridge.setLimits(limits);
      own.defineRandom(kit, seed);
      own.defineConstants(kit, globals);
      own.defineNamespaces(all, namespaces);
    },
    run: bridge.run,
    answer: bridge.answer,
    fail: bridge.fail,
    ring: bridge.ring,
    take: bridge.take,
  };
}

const members = Object.entries(parts).map(([name, part]) => `${name}:${part.toString()}`);
export const guestSource = `"use strict";(native) => (${openDoor.toString()})({${members.join(',')}}, native)`;
