/** The description of a tool that a person must approve. It says so, because a model reads only descriptions. */
import type { ListedTool } from '../domain/execution.js';

const notes = { required: 'A person must approve each call.', depends: 'A person may have to approve a call.' };

/** Returns the tool's description, with a note if a person must approve calls of it. */
export function describedFor({ tool, approval }: Pick<ListedTool, 'tool' | 'approval'>): string {
  return approval === undefined ? tool.description : `${tool.description}\n\n${notes[approval]}`;
}
