/** The text of a tool that is given to an embedding model. */
import { ownName } from '../postings/tool-text.js';
import { splitName } from '../text/split-words.js';
import type { DiscoveredTool } from '../tool.js';

const maxCharacters = 1_000;

/** The app, the words of the name and the description: `GitHub: create issue. Opens an issue in a repository.` */
export function embeddedText(tool: DiscoveredTool): string {
  const name = splitName(ownName(tool)).join(' ');
  return `${tool.toolkitName ?? tool.toolkit}: ${name}. ${tool.description ?? ''}`.trim().slice(0, maxCharacters);
}
