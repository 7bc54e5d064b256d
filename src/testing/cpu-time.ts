/** Measures CPU work for tests: unlike elapsed time, it does not grow with the load of the machine. */

/** Starts now; the returned function gives the CPU time of this process since then, in milliseconds. */
export function startCpuClock(): () => number {
  const since = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(since);
    return (user + system) / 1_000;
  };
}
