/** Running tools: checked as Composio checks, then echoed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { refused } from './catalogue.js';
import type { Answer, Execution, SeenRequest, ToolItem } from './shapes.js';
import { nanoid, recordOf, type State } from './state.js';

export async function executeTool(slug: string, { body }: SeenRequest, state: State): Promise<Answer> {
  const tool = state.data.tools.find((one) => one.slug === slug);
  if (!tool) return refused(404, `Tool ${slug} not found`, 2301);
  const request = recordOf(body);
  const wrongAccount = checkAccount(tool, request, state);
  if (wrongAccount) return wrongAccount;
  const { required = [] } = tool.input_parameters as { required?: string[] };
  const given = recordOf(request.arguments);
  const missing = required.filter((name) => given[name] === undefined);
  const execution: Execution = { tool: slug, body: request, logId: nanoid('log') };
  if (missing.length > 0)
    return failed(
      execution,
      `Invalid request data provided\n- Following fields are missing: ${JSON.stringify(missing)}`,
    );
  state.executions.push(execution);
  const { data = { echoed: given }, error, delayMs = 0, status = 200 } = state.options.behaviour?.(execution) ?? {};
  if (delayMs > 0) await sleep(delayMs);
  if (status !== 200) return refused(status, error ?? 'It failed');
  if (error !== undefined) return failed(execution, error);
  return { status: 200, body: { data, error: null, successful: true, log_id: execution.logId } };
}

function failed({ logId }: Execution, error: string): Answer {
  return { status: 200, body: { data: {}, error, successful: false, log_id: logId } };
}

function checkAccount(tool: ToolItem, request: Record<string, unknown>, state: State): Answer | undefined {
  if (tool.no_auth) return undefined;
  const { connected_account_id: id, user_id: userId } = request;
  if (typeof id !== 'string') return refused(400, 'No connected account found for the toolkit', 1810);
  const account = state.accounts.get(id);
  if (!account) return refused(404, `Connected account ${id} not found`, 1803);
  if (account.toolkit !== tool.toolkit.slug) return refused(400, 'The connected account is of another toolkit', 1804);
  if (userId !== account.userId) return refused(400, 'User ID does not match the connected account', 1812);
  if (account.status === 'ACTIVE') return undefined;
  return refused(422, `Connected account ${id} is in ${account.status} state. Please reconnect`, 1820);
}
