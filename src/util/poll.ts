/**
 * Calls `look` every `ms` milliseconds, except while an earlier call of it still runs. What fails is repeated at the next
 * turn. Does not keep the process alive.
 */
export function poll(look: () => Promise<void>, ms: number): { close(): void } {
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      .catch(() => undefined)
      .finally(() => {
        isLooking = false;
      });
  }, ms).unref();
  return { close: () => clearInterval(timer) };
}
