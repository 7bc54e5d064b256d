/** What calling a tool does, as the annotations of MCP say it. Tools of this repository name one of these. */
import type { ToolAnnotations } from './tool.js';

const reads: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};
const creates: ToolAnnotations = { ...reads, readOnlyHint: false, idempotentHint: false };

export const effects = {
  /** Only looks. */
  reads,
  /** Only looks, but the same question may get another answer: a model's, for example. */
  readsAnew: { ...reads, idempotentHint: false },
  /** Adds something, and adds it again when called again. */
  creates,
  /** Adds something that can exist only once, or takes a step that can be taken only once: a second call changes nothing. */
  createsOnce: { ...creates, idempotentHint: true },
  /** Replaces or removes what was there. A second call changes nothing more. */
  replaces: { ...creates, destructiveHint: true, idempotentHint: true },
  /** Does what its input says, which may replace or remove anything, and does it again when called again. */
  runs: { ...creates, destructiveHint: true },
} as const satisfies Readonly<Record<string, ToolAnnotations>>;

/** The same effect on what Helve itself holds or computes: nothing leaves the machine. */
export function local(effect: ToolAnnotations): ToolAnnotations {
  return { ...effect, openWorldHint: false };
}
