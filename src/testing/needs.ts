/**
 * Returns the reason to skip tests because a program is missing here. With `CI` set, every such program is installed, so a
 * reason is an error there and the file fails: a skip would look like a pass.
 */
export function mayBeMissing(reason: string | undefined, environment = process.env): string | undefined {
  const isCi = environment.CI !== undefined && !/^(|0|false)$/i.test(environment.CI);
  if (reason !== undefined && isCi) throw new Error(`With CI set, these tests must run and not be skipped: ${reason}`);
  return reason;
}
