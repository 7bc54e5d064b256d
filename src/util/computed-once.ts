/**
 * Returns a function that computes a constant of the process when it is first asked for. What fails, or promises and
 * fails, is computed again the next time.
 */
export function computedOnce<Made extends NonNullable<unknown>>(compute: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    if (made !== undefined) return made;
    const computed = compute();
    made = computed;
    if (computed instanceof Promise)
      computed.catch(() => {
        made = undefined;
      });
    return computed;
  };
}
