/** What a model is told of a tool that a person must approve: it reads descriptions and nothing else. */
import type { ListedTool } from '../domain/execution.js';

const notes = { required: 'A person must approve each call.', depends: 'A person may have to approve a call.' };

export function describedFor({ tool, approval }: Pick<ListedTool, 'tool' | 'approval'>): string {
  return approval === undefined ? tool.description : `${tool.description}\n\n${notes[approval]}`;
}
