/** The header that joins traces: what is read, and what is none. */
import { expect, test } from 'vitest';
import { readTraceparent, writeTraceparent } from './trace-context.js';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

test.each([
  [`00-${traceId}-${spanId}-01`, 1],
  [`00-${traceId}-${spanId}-00`, 0],
  // Flags that are not known yet are ignored.
  [`00-${traceId}-${spanId}-ff`, 1],
  // A later version may have more to say.
  [`01-${traceId}-${spanId}-01-what-comes`, 1],
])('R-operate: %s is read', (text, traceFlags) => {
  expect(readTraceparent(text)).toEqual({ traceId, spanId, traceFlags });
  expect(writeTraceparent({ traceId, spanId, traceFlags })).toBe(`00-${traceId}-${spanId}-0${traceFlags}`);
});

test.each([
  undefined,
  '',
  'anything',
  `ff-${traceId}-${spanId}-01`,
  `00-${traceId}-${spanId}-01-more`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId}-${spanId}-01\n`,
])('R-operate: %j is no trace', (text) => {
  expect(readTraceparent(text)).toBeUndefined();
});
