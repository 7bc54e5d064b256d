/** Work that is done one after the other, for each key. */

/** Does the work when all earlier work of the key has ended, however it has. The work must not wait for its own key. */
export type InLine = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

export function createInLine(): InLine {
  /** By key: the last work that waits or is done. */
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
