/** Work of this process that is done one after the other, for each key. */

/** By key: the last work that waits or is done. */
const lines = new Map<string, Promise<unknown>>();

/** Does the work when all earlier work of the key has ended, however it has. The work must not wait for its own key. */
export function inLine<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  const turn = (lines.get(key) ?? Promise.resolve()).then(work, work);
  lines.set(key, turn);
  const leave = (): void => {
    if (lines.get(key) === turn) lines.delete(key);
  };
  turn.then(leave, leave);
  return turn;
}
