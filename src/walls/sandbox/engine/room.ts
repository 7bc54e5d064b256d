/** The programs of one thread or process: a machine each, and one that is ready for the next. */
import type { ToGuest, Turn } from '../messages.js';
import { createMachine, type Machine } from './machine.js';
import { loadModules } from './modules.js';

export interface Room {
  answer(message: ToGuest): Promise<Turn>;
}

const nothing: Turn = { output: '', cpuMs: 0, ended: undefined };
const crashed: Turn = { output: '', cpuMs: 0, ended: 'crashed' };

export function createRoom(): Room {
  const modules = loadModules();
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
