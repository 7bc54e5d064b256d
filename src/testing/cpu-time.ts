/** How much work something was, for tests: other than the time on the clock it does not grow with what else the machine does. */

/** Begins now; the function that it returns gives the milliseconds that this process has computed since. */
export function startCpuClock(): () => number {
  const since = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(since);
    return (user + system) / 1_000;
  };
}
