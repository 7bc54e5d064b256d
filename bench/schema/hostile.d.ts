export const hostile: readonly (readonly [name: string, schema: () => unknown, values: () => readonly unknown[]])[];
