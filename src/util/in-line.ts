/** Runs work one after the other, separately for each key. */

/**
 * Runs the work when all earlier work of the key has ended, successfully or not. The work must not wait for its own
 * key.
 */
export type InLine = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

export function createInLine(): InLine {
  /** By key: the last work that waits or runs. */
  const lines = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const turn = (lines.get(key) ?? Promise.resolve()).then(work, work);
    lines.set(key, turn);
    const leave = (): void => {
      if (lines.get(key) === turn) lines.delete(key);
    };
    turn.then(leave, leave);
    return turn;
  };
}
