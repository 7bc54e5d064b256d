/** Lets some candidates take each other's places. */

/**
 * Those of one group take each other's places and scores, those that are rated best first; ties stay in their order. Those
 * without a group stay where they are.
 */
export function swapPlaces<One extends { readonly score: number }>(
  all: readonly One[],
  groupOf: (one: One) => number | undefined,
  rate: (one: One) => number,
): One[] {
  const groups = new Map<number, One[]>();
  for (const one of all) {
    const group = groupOf(one);
    if (group === undefined) continue;
    const members = groups.get(group);
    if (members === undefined) groups.set(group, [one]);
    else members.push(one);
  }
  for (const members of groups.values()) members.sort((one, other) => rate(other) - rate(one));
  return all.map((one) => {
    const members = groups.get(groupOf(one) ?? Number.NaN);
    return { ...(members?.shift() ?? one), score: one.score };
  });
}
