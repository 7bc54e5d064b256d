/** One guest in one instance of the engine. It runs one program and is then discarded. */
import { EvalFlags, Intrinsics, JSException, type JSValueHandle, QuickJS } from 'quickjs-wasi';
import type { LimitName, SandboxLimits } from '../../../domain/sandbox.js';
import { defaultLimits } from '../limits.js';
import type { Beginning, Delivery, Turn } from '../messages.js';
import { openDoor } from './door.js';
import { createModuleNames, firstFile } from './module-names.js';
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
/** The time that remains after a limit for taking out the log. */
const lastWordsMs = 20;
/** The fields of an error, as in `guest/bridge.ts`. */
const maxFieldLength = 8_192;
const noOutput = '[]\n';
const wasiOk = 0;
const wasiNoFile = 8;

export async function createMachine({ wasm, extensions, guestFiles }: EngineModules): Promise<Machine> {
  let halted: string | undefined;
  let end = Number.POSITIVE_INFINITY;
  let clock = 0;
  const modules = createModuleNames(guestFiles);
  const qjs = await QuickJS.create({
    wasm,
    extensions,
    intrinsics,
    memoryLimit: defaultLimits.memoryMb * 1_048_576,
    maxStackSize: defaultLimits.stackKb * 1_024,
    timezoneOffset: 0,
    moduleLoader: modules,
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
  const native = createNative((limit) => {
    halted ??= limit;
  });
  const door = await openDoor(qjs, guestFiles(firstFile), native);
  modules.allow({});
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
    const full = exports.memory.buffer.byteLength >= limits.memoryMb * 1_048_576;
    return { output: ended === 'crashed' ? '' : takeOutput(), failure, cpuMs, ended, full };
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
    // Parsed again inside another kind of bracket: code that closes its own function early fails in one of the two.
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
        modules.allow(given);
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
          // The program continues after each answer, so that its behaviour depends only on their order.
          drain();
        }
      }),
  };
}

/** As JSON text. Reading it can run code of the guest, but only inside the guest. */
function describe(error: JSException): string {
  try {
    const { name, message, stack } = error;
    const part = (text: string | undefined) => text?.slice(0, maxFieldLength);
    return JSON.stringify({ name: part(name), message: part(message), stack: part(stack) });
  } catch {
    return '{"name":"Error","message":"The program failed"}';
  }
}
