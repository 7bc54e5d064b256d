/** The programs of one thread or process: a machine each, and one that is ready for the next. */
import { defaultLimits } from '../limits.js';
import type { ToGuest, Turn } from '../messages.js';
import { createMachine, type Machine } from './machine.js';
import { type EngineModules, loadModules } from './modules.js';

export interface Room {
  answer(message: ToGuest): Promise<Turn>;
}

const nothing: Turn = { output: '', failure: '', cpuMs: 0, ended: undefined, full: false };
const crashed: Turn = { output: '', failure: '', cpuMs: 0, ended: 'crashed', full: false };

/** The engine compiles each function when it is first used. Running a program of our own does that in advance. */
async function warm(modules: EngineModules): Promise<EngineModules> {
  const machine = await createMachine(modules);
  const code = 'console.log({}); return JSON.parse(\'{"a":[1]}\').a.map((x) => x + 1)';
  machine.begin(
    { code, limits: defaultLimits, namespaces: '{"a":{"b":"c"}}', globals: '{}', modules: {}, now: 0, seed: 0 },
    warmMs,
  );
  return modules;
}

const warmMs = 1_000;

export function createRoom(): Room {
  const modules = loadModules().then(warm);
  const machines = new Map<number, Machine>();
  let spare: Promise<Machine> | undefined;

  const prepare = (): Promise<Machine> => {
    spare ??= modules.then(createMachine);
    return spare;
  };
  const take = (): Promise<Machine> => {
    const taken = prepare();
    spare = undefined;
    return taken;
  };
  return {
    async answer(message) {
      if (message.kind === 'prepare') {
        await prepare();
        return nothing;
      }
      if (message.kind === 'drop') {
        machines.delete(message.run);
        return nothing;
      }
      if (message.kind === 'begin') machines.set(message.run, await take());
      const machine = machines.get(message.run);
      if (!machine) return crashed;
      const { leftMs } = message;
      const turn =
        message.kind === 'begin'
          ? machine.begin(message.beginning, leftMs)
          : machine.deliver(message.deliveries, leftMs);
      if (turn.ended !== undefined) machines.delete(message.run);
      return turn;
    },
  };
}
