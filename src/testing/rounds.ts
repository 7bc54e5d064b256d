/**
 * How often a test repeats something with other moments, values or stores: few times, or in a long run (`npm run test:long`) many times.
 */

/** Returns `few`, or `many` if `HELVE_LONG_TESTS` is 1. Takes numbers of rounds, and anything else that a long run has more of. */
export function rounds<Few, Many = Few>(few: Few, many: Many): Few | Many {
  return process.env.HELVE_LONG_TESTS === '1' ? many : few;
}
