// Numbers that are the same in every run.

/** Returns a function that gives whole numbers below a limit. */
export function numbersFrom(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Draws `count` different items of a list, none of them in `except`. */
export function draw(below, list, count, except) {
  const left = list.filter((one) => !except.includes(one));
  const drawn = [];
  while (drawn.length < count && left.length > 0) drawn.push(...left.splice(below(left.length), 1));
  return drawn;
}
