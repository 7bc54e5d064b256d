/** Prints namespaces: as TypeScript, or as a line for each tool. */
import type { Tool } from '../../domain/tool.js';
import { printFunctions } from '../../schema/index.js';
import { toolSignature } from '../../util/tool-signature.js';
import { describeSummary, type ReachedTool } from '../finding/index.js';
import type { Namespace } from './namespaces.js';

/** Prints `declare namespace <name> { … }`. */
export function printNamespace({ name, members }: Namespace): string {
  const functions = [...members].map(([identifier, { tool, approval, learnedOutput }]) => ({
    name: identifier,
    input: tool.inputSchema,
    output: tool.outputSchema ?? tool.documentedOutput ?? learnedOutput,
    docs: `${tool.description}${writeTags(tool, approval)}`,
  }));
  return `declare namespace ${name} {\n${printFunctions(functions)}\n}`;
}

/** The comment before a namespace: whose tools these are. */
export function describeNamespace({ title, alias, connection, account }: Namespace): string {
  const facts = [
    title,
    connection === undefined ? undefined : `connection ${connection}`,
    account === undefined ? undefined : `account ${account}`,
    alias === undefined ? undefined : `also as ${alias}`,
  ].filter((fact) => fact !== undefined);
  return `// ${facts.join(', ').replaceAll(/\s+/g, ' ')}`;
}

/** A line for each tool: `github.listIssues(repo: string, state?: string) Lists issues`. */
export function printIndex(namespace: Namespace): string {
  const { name, members } = namespace;
  const lines = [...members].map(
    ([identifier, { tool }]) => `${name}.${identifier}${toolSignature(tool)} ${describeSummary(tool)}`,
  );
  return [describeNamespace(namespace), ...lines].join('\n');
}

const approvalTags = { none: '', required: ' @needsApproval', depends: ' @mayNeedApproval', denied: '' } as const;

/** `@write @needsApproval`; nothing for a tool that only reads. */
function writeTags({ risk }: Tool, approval: ReachedTool['approval']): string {
  return `${risk === 'read' ? '' : ` @${risk}`}${approvalTags[approval]}`;
}
