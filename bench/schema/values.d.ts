export function createValues(seed: number): {
  generate(schema: unknown): unknown;
  mutate(value: unknown): unknown;
};
