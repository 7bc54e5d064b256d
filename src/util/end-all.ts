/** Ends what was begun. */

export type End = () => unknown;

/** Ends the last first, and all of them even if some cannot be ended. Then rejects with the first failure. */
export async function endAll(ends: readonly End[]): Promise<void> {
  const failures: unknown[] = [];
  for (const end of ends.toReversed()) {
    try {
      await end();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
