// CPU time of this thread, so that neither other processes nor the collector's own threads count.
import { readFileSync } from 'node:fs';

const schedule = `/proc/self/task/${process.pid}/schedstat`;

/** CPU time of this thread in ms, or of the process if the system does not report it. */
export const readThread = () => {
  // The kernel updates its count when it is asked for that of the process.
  const { user, system } = process.cpuUsage();
  try {
    return Number(readFileSync(schedule, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return (user + system) / 1_000;
  }
};

/** Runs a synchronous function; returns its value and the milliseconds it took. */
export const cpuOf = (act) => {
  const began = readThread();
  const value = act();
  return { value, ms: readThread() - began };
};
