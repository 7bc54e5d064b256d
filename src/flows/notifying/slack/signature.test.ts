/** The example of Slack's own page "Verifying requests from Slack", and what differs from it. */
import { expect, test } from 'vitest';
import { requireSigned } from './signature.js';

const secret = '8f742231b10e8888abcd99yyyzzz85a5';
const seconds = 1_531_420_618;
const body =
  'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
const signature = 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503';

const request = (changed: { readonly body?: string; readonly time?: string; readonly signature?: string } = {}) => ({
  body: Buffer.from(changed.body ?? body),
  headers: new Headers({
    'x-slack-request-timestamp': changed.time ?? String(seconds),
    'x-slack-signature': changed.signature ?? signature,
  }),
});
const at = (later: number): Date => new Date((seconds + later) * 1_000);

test('R-operate: what Slack has signed is accepted for five minutes', () => {
  for (const later of [-300, 0, 300])
    expect(requireSigned(request(), secret, at(later))).toEqual({ signature, seconds });
});

test.each([
  ['another body', request({ body: `${body}&x=1` }), secret, 0],
  ['another time', request({ time: String(seconds + 1) }), secret, 0],
  ['another signature', request({ signature: signature.replace('v0=a', 'v0=b') }), secret, 0],
  ['no signature', request({ signature: '' }), secret, 0],
  ['another secret', request(), 'another secret', 0],
  ['no secret', request(), undefined, 0],
  ['too old', request(), secret, 301],
  ['of the future', request(), secret, -301],
])('R-operate: attack: %s is refused', (_, signed, known, later) => {
  expect(() => requireSigned(signed, known, at(later))).toThrow(expect.objectContaining({ code: 'unauthenticated' }));
});
