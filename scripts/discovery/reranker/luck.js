// Seeded chance (mulberry32): the same on every machine.
export function createLuck(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    chance: (share) => next() < share,
    pick: (list) => list[Math.floor(next() * list.length)],
    below: (limit) => Math.floor(next() * limit),
  };
}
