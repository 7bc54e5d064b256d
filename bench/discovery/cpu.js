// CPU time of this thread, so that neither other processes nor the collector's own threads count.
import { readFileSync } from 'node:fs';

const schedule = `/proc/self/task/${process.pid}/schedstat`;

/** CPU time of this thread in ms where the system tells it, else of the process. */
export const readThread = () => {
  // The kernel brings its count up to date when it is asked for the process's.
  const { user, system } = process.cpuUsage();
  try {
    return Number(readFileSync(schedule, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return (user + system) / 1_000;
  }
};

/** The value of a synchronous act and the ms that it took. */
export const cpuOf = (act) => {
  const began = readThread();
  const value = act();
  return { value, ms: readThread() - began };
};
