/**
 * Returns a function that computes a constant of the process on first use. If that fails (also as a rejected promise),
 * it is computed again the next time.
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
