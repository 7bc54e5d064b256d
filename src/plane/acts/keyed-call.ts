/** A call with an idempotency key, which is made once even if a process is killed. */
import { HelveError, toHelveError } from '../../domain/errors.js';
import type { CallRequest, ToolResult } from '../../domain/execution.js';
import type { PlaneParts } from '../../flows/parts.js';
import { callUnderKey } from '../../flows/runs/index.js';

export type KeyedCall = CallRequest & { readonly idempotencyKey: string };

/** Like every call it never throws because of the caller: a refusal or a failure is a result. Throws for a failing store. */
export async function executeUnderKey(parts: PlaneParts, request: KeyedCall): Promise<ToolResult> {
  const { storage, runs, approvalUrl, now } = parts;
  const { principal, tool } = request;
  const startedAt = now().getTime();
  const base = () => ({ tool, executionId: '', durationMs: now().getTime() - startedAt });
  try {
    if (request.approvalId !== undefined)
      throw new HelveError('invalid_input', 'A call with an idempotency key takes no approval id', {
        hint: 'Send the same call with the same key again: once it is approved, Helve makes it by itself.',
      });
    const findApproval = (id: string) => storage.workspace(principal.workspaceId).approvals.find(id);
    const answer = await callUnderKey({ runs, findApproval, approvalUrl, now }, request);
    const rule = answer.rule ?? (await readRule(parts, request, answer.executionId));
    return { ...base(), ...answer, rule };
  } catch (thrown) {
    const error = toHelveError(thrown);
    if (error.code !== 'invalid_input' && error.code !== 'conflict') throw thrown;
    return { ...base(), ok: false, rule: 'idempotency.key', error: error.toJSON() };
  }
}

/** The rule that allowed or refused the call when it was made. */
async function readRule(
  { records }: Pick<PlaneParts, 'records'>,
  { principal }: Pick<CallRequest, 'principal'>,
  executionId: string | undefined,
): Promise<string> {
  const record = executionId === undefined ? undefined : await records.execution(principal, executionId);
  return String(record?.outcome?.rule ?? record?.started?.rule ?? 'idempotency.key');
}
