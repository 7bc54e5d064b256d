/** A stream that ends as soon as its reader loses the right to it: see `guardStream`. */

/** Maximum age of the last check whether the reader still has the right. */
const trustMs = 1_000;

/**
 * The response, whose stream asks `check` before it passes something on, at most once a second, and ends when that throws. The
 * signs of life of an idle stream are passed on too, so it also ends after a while if nothing else is sent. Other responses are
 * returned unchanged.
 */
export function guardStream(response: Response, check: () => Promise<unknown>): Response {
  const { body, headers, status } = response;
  if (body === null || !headers.get('content-type')?.startsWith('text/event-stream')) return response;
  const reader = body.getReader();
  let checkedAt = performance.now();

  async function mayGoOn(): Promise<boolean> {
    if (performance.now() - checkedAt < trustMs) return true;
    try {
      await check();
    } catch {
      return false;
    }
    checkedAt = performance.now();
    return true;
  }

  const guarded = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value } = await reader.read().catch(() => ({ value: undefined }));
      if (value !== undefined && (await mayGoOn())) return controller.enqueue(value);
      controller.close();
      if (value !== undefined) await reader.cancel().catch(() => undefined);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(guarded, { status, headers });
}
