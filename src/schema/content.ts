/** `contentEncoding: base64` and `contentMediaType: application/json`, which draft-07 allows a validator to assert. */

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export function hasContent(text: string, encoding: unknown, mediaType: unknown): boolean {
  if (encoding === 'base64' && !base64.test(text)) return false;
  if (mediaType !== 'application/json') return true;
  try {
    JSON.parse(encoding === 'base64' ? Buffer.from(text, 'base64').toString('utf8') : text);
    return true;
  } catch {
    return false;
  }
}
