/** Optional members: one way to leave out what is undefined. */

/** `Values` with its members optional where they may be undefined. */
export type Defined<Values> = {
  [Key in keyof Values as undefined extends Values[Key] ? never : Key]: Values[Key];
} & {
  [Key in keyof Values as undefined extends Values[Key] ? Key : never]?: Exclude<Values[Key], undefined>;
};

/** Returns a new object with those members of `values` that are not undefined. */
export function defined<Values extends object>(values: Values): Defined<Values> {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(values)) if (value !== undefined) kept[key] = value;
  return kept as Defined<Values>;
}
