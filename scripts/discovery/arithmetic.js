// Arithmetic with the same last bit in every engine: only + - * / and square roots, which IEEE 754 defines exactly.
// `Math.exp`, `Math.log` and `Math.pow` may change between versions; `Math.random` always changes.
const ln2 = Math.LN2;

/** Numbers in [0, 1) from a seed (mulberry32). */
export function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** e to the power of x, with an error below 1e-12; x between -700 and 700. */
export function exp(x) {
  const halvings = Math.round(x / ln2);
  const rest = x - halvings * ln2;
  let sum = 1;
  for (let term = 14; term >= 1; term--) sum = 1 + (rest / term) * sum;
  let power = 1;
  let base = halvings < 0 ? 0.5 : 2;
  for (let left = Math.abs(halvings); left > 0; left >>= 1) {
    if (left & 1) power *= base;
    base *= base;
  }
  return sum * power;
}

/** Turns log-odds into shares of 1, in place. */
export function toShares(odds) {
  const most = Math.max(...odds);
  let whole = 0;
  for (let at = 0; at < odds.length; at++) {
    odds[at] = exp(Math.max(-700, odds[at] - most));
    whole += odds[at];
  }
  for (let at = 0; at < odds.length; at++) odds[at] /= whole;
}

/** The natural logarithm of x > 0, with an error below 1e-12. */
export function log(x) {
  let rest = x;
  let doublings = 0;
  while (rest > Math.SQRT2) {
    rest /= 2;
    doublings++;
  }
  while (rest < Math.SQRT1_2) {
    rest *= 2;
    doublings--;
  }
  const ratio = (rest - 1) / (rest + 1);
  const square = ratio * ratio;
  let sum = 0;
  for (let term = 23; term >= 1; term -= 2) sum = 1 / term + square * sum;
  return 2 * ratio * sum + doublings * ln2;
}

/** Shuffles a list in place with `random`. */
export function shuffle(list, random) {
  for (let at = list.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    const kept = list[at];
    list[at] = list[other];
    list[other] = kept;
  }
  return list;
}
