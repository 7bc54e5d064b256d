import type { Node } from './node.js';

/** Builds a part of the schema at hand. `name`: what it is called there; `allowed`: the kinds that can come at all. */
export type BuildPart = (schema: unknown, name: string, allowed?: number) => Node;
