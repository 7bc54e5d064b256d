/** Whose loop works on the issues of an agent. */

/** `helve`: Helve's own loop. The others need an SDK that the operator installs. */
export const workerKinds = ['helve', 'openai-agents', 'claude-agent'] as const;
export type WorkerKind = (typeof workerKinds)[number];
