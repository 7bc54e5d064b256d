// Numbers that are the same in every run.

/** Gives whole numbers below a limit. */
export function numbersFrom(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** `count` different ones of a list, without those of `except`. */
export function draw(below, list, count, except) {
  const left = list.filter((one) => !except.includes(one));
  const drawn = [];
  while (drawn.length < count && left.length > 0) drawn.push(...left.splice(below(left.length), 1));
  return drawn;
}
