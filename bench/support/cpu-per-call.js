// CPU time of calls of `calculate`, or of a substitute for it, many at a time.

/** `calls`: their number, with `lanes` at a time. Returns microseconds of CPU for each; `work` gets an expression. */
export async function cpuPerCall(work, { calls, lanes }) {
  const before = process.cpuUsage();
  for (let done = 0; done < calls; done += lanes)
    await Promise.all(Array.from({ length: lanes }, (_, lane) => work(`${done + lane} + 1`)));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}
