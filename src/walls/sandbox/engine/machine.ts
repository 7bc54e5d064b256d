/** One guest in one instance of the engine. It runs one program and is then thrown away. */
import { EvalFlags, Intrinsics, JSException, type JSValueHandle, QuickJS } from 'quickjs-wasi';
import type { LimitName, SandboxLimits } from '../../../domain/sandbox.js';
import { nearest } from '../../../util/nearest.js';
import type { Native } from '../guest/kit.js';
import { type DoorName, guestSource } from '../guest/source.js';
import { defaultLimits } from '../limits.js';
import type { Beginning, Delivery, Turn } from '../messages.js';
import type { EngineModules } from './modules.js';
import { createNative } from './native.js';
import { prefix } from './prefix.js';

export interface Machine {
  begin(beginning: Beginning, leftMs: number): Turn;
  deliver(deliveries: readonly Delivery[], leftMs: number): Turn;
}

const suffix = '\n})';
const programFile = 'program.js';
/** Weak references and clocks would make two runs of a program differ. */
const intrinsics = (Intrinsics.ALL & ~(Intrinsics.PERFORMANCE | Intrinsics.WEAK_REF)) >>> 0;
/** What is left after a limit for taking out the log. */
const lastWordsMs = 20;
const noOutput = '[]\n';
const wasiOk = 0;
const wasiNoFile = 8;

export async function createMachine({ wasm, extensions }: EngineModules): Promise<Machine> {
  let halted: string | undefined;
  let end = Number.POSITIVE_INFINITY;
  let clock = 0;
  let modules: Beginning['modules'] = {};
  const qjs = await QuickJS.create({
    wasm,
    extensions,
    intrinsics,
    memoryLimit: defaultLimits.memoryMb * 1_048_576,
    maxStackSize: defaultLimits.stackKb * 1_024,
    timezoneOffset: 0,
    moduleLoader: { load: (name: string) => findModule(modules, name) },
    interruptHandler: () => halted !== undefined || performance.now() > end,
    wasi: (memory: { readonly buffer: ArrayBuffer }) => ({
      clock_time_get: (_clock: number, _precision: bigint, at: number) => {
        new DataView(memory.buffer).setBigUint64(at, BigInt(clock) * 1_000_000n, true);
        return wasiOk;
      },
      fd_write: () => wasiNoFile,
    }),
  });
  const exports = qjs._getExports();
  const door = openDoor(qjs, (limit) => {
    halted ??= limit;
  });
  let limits: SandboxLimits = defaultLimits;
  let cpuMs = 0;

  const drain = (): void => {
    while (exports.qjs_is_job_pending()) {
      if (halted !== undefined || performance.now() > end) return;
      if (exports.qjs_execute_pending_job() < 0) throw new JSException(qjs.getException());
    }
  };

  const turn = (leftMs: number, work: () => void): Turn => {
    const begun = performance.now();
    const left = limits.cpuMs - cpuMs;
    end = begun + Math.min(left, leftMs);
    let ended: Turn['ended'];
    let failure = '';
    try {
      work();
      drain();
    } catch (error) {
      if (!(error instanceof JSException)) ended = 'crashed';
      else failure = describe(error);
    }
    const over = performance.now();
    cpuMs += over - begun;
    if (halted !== undefined) ended = halted as LimitName;
    else if (over > end) ended = left <= leftMs ? 'cpuMs' : 'wallMs';
    return { output: ended === 'crashed' ? '' : takeOutput(), failure, cpuMs, ended };
  };

  const takeOutput = (): string => {
    halted = undefined;
    end = performance.now() + lastWordsMs;
    try {
      return door('take').consume((text) => text.toString());
    } catch {
      return noOutput;
    }
  };

  const compile = (code: string): JSValueHandle => {
    // In another bracket, so that code which closes the function that it is in fails in one of the two.
    const inBlock = `${prefix.slice(0, -1)}{${code}\n}})`;
    qjs.evalCode(inBlock, programFile, EvalFlags.STRICT | EvalFlags.COMPILE_ONLY).dispose();
    return qjs.evalCode(prefix + code + suffix, programFile, EvalFlags.STRICT);
  };

  return {
    begin(beginning, leftMs) {
      ({ limits } = beginning);
      clock = Math.trunc(beginning.now);
      exports.qjs_set_memory_limit(limits.memoryMb * 1_048_576);
      exports.qjs_set_max_stack_size(limits.stackKb * 1_024);
      return turn(leftMs, () => {
        const { code, modules: given, ...setting } = beginning;
        modules = given;
        door('prepare', JSON.stringify(setting)).dispose();
        door('run', compile(code)).dispose();
      });
    },
    deliver: (deliveries, leftMs) =>
      turn(leftMs, () => {
        for (const { kind, id, text, now } of deliveries) {
          clock = Math.trunc(now);
          if (kind === 'timer') door('ring', id).dispose();
          else door(kind === 'answer' ? 'answer' : 'fail', id, text).dispose();
          // The program goes on after each answer, so that what it does depends on their order alone.
          drain();
        }
      }),
  };

  function openDoor(vm: QuickJS, halt: (limit: string) => void) {
    const offered = vm.newObject();
    const native = createNative(halt);
    for (const name of Object.keys(native) as (keyof Native)[]) {
      const given = vm.newFunction(name, (...values) => {
        const [first = '', second = '', third = ''] = values.map((value) => value.toString());
        return vm.newString(native[name](first, second, third));
      });
      offered.setProp(name, given);
    }
    const inside = vm.callFunction(vm.evalCode(guestSource, 'sandbox.js'), vm.undefined, offered);
    const functions: Partial<Record<DoorName, JSValueHandle>> = {};
    return (name: DoorName, ...given: (string | number | JSValueHandle)[]): JSValueHandle => {
      const handles = given.map((value) =>
        typeof value === 'string' ? vm.newString(value) : typeof value === 'number' ? vm.newNumber(value) : value,
      );
      functions[name] ??= inside.getProp(name);
      const answer = vm.callFunction(functions[name], vm.undefined, ...handles);
      for (const handle of handles) handle.dispose();
      return answer;
    };
  }
}

/** Names are compared as they are written: nothing is resolved. */
function findModule(modules: Beginning['modules'], name: string): string {
  const source = Object.hasOwn(modules, name) ? modules[name] : undefined;
  if (source !== undefined) return source;
  const known = Object.keys(modules);
  const near = name.length > 100 ? undefined : nearest(name, known);
  const hint = near === undefined ? '' : ` Did you mean ${JSON.stringify(near)}?`;
  const error = new Error(`There is no package ${JSON.stringify(name.slice(0, 100))} here.${hint}`);
  // The engine copies it into the guest, and it has paths of this machine.
  error.stack = '';
  throw error;
}

/** As JSON text. Reading it can run code of the guest, inside the guest. */
function describe(error: JSException): string {
  try {
    const { name, message, stack } = error;
    return JSON.stringify({ name, message, stack });
  } catch {
    return '{"name":"Error","message":"The program failed"}';
  }
}
