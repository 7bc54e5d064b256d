/**
 * How an agent sees its tools. `auto`: all of them up to the operator's threshold, else the meta-tools. `code`: the tools with
 * which it finds its tools and writes programs over them.
 */
export type ToolMode = 'auto' | 'direct' | 'meta' | 'code';

export const toolModes: readonly ToolMode[] = ['auto', 'direct', 'meta', 'code'];
