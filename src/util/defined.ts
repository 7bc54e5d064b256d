/** Omits undefined members of objects, in one way for all code. */

/** `Values` with its members optional where they may be undefined. */
export type Defined<Values> = {
  [Key in keyof Values as undefined extends Values[Key] ? never : Key]: Values[Key];
} & {
  [Key in keyof Values as undefined extends Values[Key] ? Key : never]?: Exclude<Values[Key], undefined>;
};

/** Returns a new object with those members of `values` that are not undefined. */
export function defined<Values extends object>(values: Values): Defined<Values> {
  const kept: Record<string, unknown> = {};
  // Without `Object.entries`, which makes a list for each member: every call comes here several times.
  for (const key of Object.keys(values)) {
    const value = values[key as keyof Values];
    if (value !== undefined) kept[key] = value;
  }
  return kept as Defined<Values>;
}
