/**
 * An OAuth client's id and secret for the Authorization header. The OAuth library also writes `-` and `_` as `%2D` and
 * `%5F`, which many servers do not decode.
 */
export function basicCredentials(clientId: string, secret: string): string {
  const encode = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(secret)}`, 'utf8').toString('base64')}`;
}
