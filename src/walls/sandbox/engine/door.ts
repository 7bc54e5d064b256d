/** The functions of the guest that the engine calls, once its own modules are loaded. */
import { EvalFlags, type JSValueHandle, type QuickJS } from 'quickjs-wasi';
import type { Native } from '../guest/kit.js';
import type { DoorName } from '../guest/open-door.js';
import { firstFile } from './module-names.js';
import type { createNative } from './native.js';

export type Door = (name: DoorName, ...given: (string | number | JSValueHandle)[]) => JSValueHandle;

/** `source`: of the first module of the guest. What it imports comes from the engine's module loader. */
export async function openDoor(vm: QuickJS, source: string, native: ReturnType<typeof createNative>): Promise<Door> {
  const offered = vm.newObject();
  for (const name of Object.keys(native) as (keyof Native)[]) {
    const given = vm.newFunction(name, (...values) => {
      const [first = '', second = '', third = ''] = values.map((value) => value.toString());
      return vm.newString(native[name](first, second, third));
    });
    offered.setProp(name, given);
  }
  const loading = vm.evalCode(source, `guest:${firstFile}`, EvalFlags.TYPE_MODULE);
  vm.executePendingJobs();
  const loaded = await vm.resolvePromise(loading);
  if ('error' in loaded) throw new Error('The modules of the guest do not load');
  const inside = vm.callFunction(loaded.value.getProp('openDoor'), vm.undefined, offered);
  const functions: Partial<Record<DoorName, JSValueHandle>> = {};
  return (name, ...given) => {
    const handles = given.map((value) =>
      typeof value === 'string' ? vm.newString(value) : typeof value === 'number' ? vm.newNumber(value) : value,
    );
    functions[name] ??= inside.getProp(name);
    const answer = vm.callFunction(functions[name], vm.undefined, ...handles);
    for (const handle of handles) handle.dispose();
    return answer;
  };
}
