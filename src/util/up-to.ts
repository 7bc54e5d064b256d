/**
 * Waits for work, but no longer than this; the work continues. If it fails within that time, the caller gets the error.
 */
export async function upTo(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds).unref();
  });
  await Promise.race([work, tooLong]).finally(() => clearTimeout(timer));
}
