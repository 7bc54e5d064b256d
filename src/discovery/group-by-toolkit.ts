/** Tools as they are listed, put together by toolkit. */
import { HelveError } from '../domain/errors.js';
import { hashText } from './hash-table.js';
import { maxTools } from './postings/build-shard.js';
import type { DiscoveredTool } from './tool.js';

const toolsAStep = 512;
const maxInSet = 8_192;

/** The tools by their toolkits. Throws `invalid_input` for an id that stands twice, or a toolkit that is too large. */
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

/** Many sets where there are many tools: a large one would stop everything while it grows. */
function* checkIds(tools: readonly DiscoveredTool[]): Generator<undefined, void> {
  const parts = Math.ceil(tools.length / maxInSet);
  const seen = Array.from({ length: parts }, () => new Set<string>());
  for (const [at, { id, toolkit }] of tools.entries()) {
    const ids = seen[parts === 1 ? 0 : hashText(id) % parts] ?? new Set();
    if (ids.has(id)) throw refused(`The tool ${id} stands twice in the list`, toolkit);
    ids.add(id);
    if (at % toolsAStep === toolsAStep - 1) yield undefined;
  }
}

function refused(message: string, toolkit: string): HelveError {
  return new HelveError('invalid_input', message, {
    hint: 'Give each tool of a toolkit once, under an id of its own.',
    details: { toolkit },
  });
}
