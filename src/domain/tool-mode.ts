/** How an agent sees its tools. `auto`: all of them up to the operator's threshold, else the meta-tools. */
export type ToolMode = 'auto' | 'direct' | 'meta';

export const toolModes: readonly ToolMode[] = ['auto', 'direct', 'meta'];
