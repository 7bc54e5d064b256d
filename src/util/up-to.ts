/**
 * Waits for work, but no longer than this; the work continues. Returns whether it is done. If it fails within that time, the
 * caller gets the error.
 */
export async function upTo(milliseconds: number, work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, milliseconds, false).unref();
  });
  return Promise.race([work.then(() => true), tooLong]).finally(() => clearTimeout(timer));
}
