import type { Node } from './node.js';

/** Builds a part of the present schema. `name`: the name of the part; `allowed`: the kinds that are possible at all. */
export type BuildPart = (schema: unknown, name: string, allowed?: number) => Node;
