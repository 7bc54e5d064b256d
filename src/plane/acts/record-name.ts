/** The name of a tool as the record has it. */
import { toAuditName } from '../../domain/naming/index.js';
import type { Principal } from '../../domain/principal.js';
import { recordName } from '../../flows/calling/index.js';
import type { PlaneParts } from '../../flows/parts.js';

/** The audit record uses one form of a tool's name; a reader may write any of them. */
export async function withRecordName<Query extends { readonly tool?: string }>(
  { catalogue, registry }: Pick<PlaneParts, 'catalogue' | 'registry'>,
  { workspaceId }: Principal,
  query: Query,
): Promise<Query> {
  if (query.tool === undefined) return query;
  const [known] = (await catalogue(workspaceId)).match(query.tool);
  if (known) return { ...query, tool: recordName(known) };
  // Its account may no longer exist; the record still has its calls.
  const [toolkit = '', name] = query.tool.split('.');
  const title = (await registry.findToolkit(toolkit))?.title;
  return name === undefined || title === undefined ? query : { ...query, tool: toAuditName({ toolkit, name }, title) };
}
