/** Groups listed tools by toolkit. */
import { HelveError } from '../domain/errors.js';
import { hashText } from './hash-table.js';
import { maxTools } from './postings/build-shard.js';
import type { DiscoveredTool } from './tool.js';

const toolsAStep = 512;
const maxInSet = 8_192;

/**
 * Returns the tools grouped by toolkit. Throws `invalid_input` for an id that occurs twice, or a toolkit that is too
 * large.
 */
export function* groupByToolkit(tools: readonly DiscoveredTool[]): Generator<undefined, DiscoveredTool[][]> {
  const groups = new Map<string, DiscoveredTool[]>();
  for (const [at, tool] of tools.entries()) {
    const group = groups.get(tool.toolkit);
    if (group === undefined) groups.set(tool.toolkit, [tool]);
    else group.push(tool);
    if (at % toolsAStep === toolsAStep - 1) yield undefined;
  }
  for (const [toolkit, { length }] of groups)
    if (length > maxTools) throw refused(`The toolkit ${toolkit} has ${length} tools (at most ${maxTools})`, toolkit);
  yield* checkIds(tools);
  return [...groups.values()];
}

/** Uses several sets for many tools: one large set would block everything while it grows. */
function* checkIds(tools: readonly DiscoveredTool[]): Generator<undefined, void> {
  const parts = Math.ceil(tools.length / maxInSet);
  const seen = Array.from({ length: parts }, () => new Set<string>());
  for (const [at, { id, toolkit }] of tools.entries()) {
    const ids = seen[parts === 1 ? 0 : hashText(id) % parts] ?? new Set();
    if (ids.has(id)) throw refused(`The tool ${id} occurs twice in the list`, toolkit);
    ids.add(id);
    if (at % toolsAStep === toolsAStep - 1) yield undefined;
  }
}

function refused(message: string, toolkit: string): HelveError {
  return new HelveError('invalid_input', message, {
    hint: 'List each tool of a toolkit once, with a unique id.',
    details: { toolkit },
  });
}
