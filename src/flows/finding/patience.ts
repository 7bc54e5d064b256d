/** Waits for work, but not for longer than this; the work goes on. Its failure in that time is the caller's. */
export async function upTo(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds).unref();
  });
  await Promise.race([work, tooLong]).finally(() => clearTimeout(timer));
}
