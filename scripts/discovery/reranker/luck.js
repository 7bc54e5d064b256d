// Seeded random choices, the same on every machine.
import { createRandom } from '../arithmetic.js';

export function createLuck(seed) {
  const next = createRandom(seed);
  return {
    next,
    chance: (share) => next() < share,
    pick: (list) => list[Math.floor(next() * list.length)],
    below: (limit) => Math.floor(next() * limit),
  };
}
