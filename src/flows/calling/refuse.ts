/** Handles refused calls, and calls that met a bug. */
import type { AuditedCall } from '../../domain/audit.js';
import { HelveError } from '../../domain/errors.js';
import type { ToolResult } from '../../domain/execution.js';
import type { JsonValue } from '../../domain/json.js';
import { accountFacts } from '../../util/acting-account.js';
import { canonicalJson } from '../../util/canonical.js';
import { sha256 } from '../../util/hash.js';
import type { MeantCall, Refusal } from './calls.js';
import { meantTools, recordName } from './meant-tool.js';
import type { NamedTool, PipelineParts } from './parts.js';
import { formatRefusal } from './stages/format.js';
import { provenance, recordRefusal } from './stages/record.js';

/** Records a refusal and returns the result. Throws only if it cannot be recorded. */
export async function refuse(
  request: MeantCall,
  executionId: string,
  no: Refusal,
  startedAt: Date,
  parts: PipelineParts,
): Promise<ToolResult> {
  const { principal, tool } = request;
  const configuration = await parts.configurations.get(principal.workspaceId);
  const catalogue = await parts.catalogue(principal.workspaceId, tool);
  const meant = meantTools({ matches: catalogue.match(tool), configuration, principal }, parts);
  const target = meant.length === 1 ? meant[0] : undefined;
  const account = accountFacts(configuration.connections.find(({ id }) => id === target?.connectionId));
  await recordRefusal({ ...describe(request, executionId, meant), account }, no, parts);
  return formatRefusal(executionId, target?.name ?? request.tool, no, startedAt, parts);
}

/** Reports a bug or a failing store to the operator; the caller learns only that there was one. */
export function tellable(error: unknown, parts: PipelineParts): HelveError {
  const isTellable = error instanceof HelveError && error.code !== 'internal' && error.code !== 'storage_failed';
  if (isTellable) return error;
  parts.reportError(error);
  if (error instanceof HelveError && error.code === 'storage_failed')
    return new HelveError('storage_failed', 'Helve cannot read or write its store', {
      hint: 'Try again later. The cause is in the log of the server.',
      cause: error,
    });
  return new HelveError('internal', 'Helve failed during this call', { cause: error });
}

/** A refused call as an audit row: the input may be anything, so it is stored as text if it is not JSON. */
function describe(request: MeantCall, executionId: string, meant: readonly NamedTool[]): AuditedCall {
  // Several matches are one tool with several accounts, or tools of several toolkits, which share no name.
  const target = new Set(meant.map(recordName)).size === 1 ? meant[0] : undefined;
  let text: string;
  try {
    text = canonicalJson(request.input ?? null);
  } catch {
    text = JSON.stringify(`[not JSON: ${typeof request.input}]`);
  }
  return {
    executionId,
    principal: request.principal,
    tool: target ? recordName(target) : request.tool.slice(0, 200),
    input: JSON.parse(text) as JsonValue,
    inputHash: sha256(text),
    ...provenance(request),
    ...(target === undefined ? {} : { inputSchema: target.tool.inputSchema, risk: target.tool.risk }),
    ...(target?.connectionId === undefined || meant.length > 1 ? {} : { connectionId: target.connectionId }),
  };
}
