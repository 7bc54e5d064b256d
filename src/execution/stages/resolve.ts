/** Which tool is meant: by its model-facing name first, then by any other written form of it. */
import { HelveError } from '../../spec/errors.js';
import { nearest } from '../../util/nearest.js';
import { type MeantCall, type Refusal, type ResolvedCall, refusal } from '../calls.js';
import type { PipelineParts } from '../parts.js';

export async function resolve(
  request: MeantCall,
  executionId: string,
  parts: PipelineParts,
): Promise<ResolvedCall | Refusal> {
  const { principal } = request;
  const { workspaceId } = principal;
  let catalogue = await parts.catalogue(workspaceId);
  let configuration = await parts.configurations.get(workspaceId);
  const find = () =>
    catalogue.find(request.tool, ({ connectionId }) => parts.knowsAccount(configuration, principal, connectionId));
  let target = find();
  if (!target) {
    // Another process may have connected the account since.
    configuration = await parts.configurations.getFresh(workspaceId);
    catalogue = await parts.catalogue(workspaceId);
    target = find();
  }
  if (target) return { executionId, request, target, configuration };

  // Only names that this principal can see are suggested: a refusal must not list what is hidden.
  const visible = catalogue.entries.filter(
    ({ tool, connectionId }) =>
      parts.decide({ configuration, principal, tool, connectionId }).decision.effect !== 'deny',
  );
  const suggestion = nearest(
    request.tool,
    visible.map((entry) => entry.name),
  );
  const hint =
    request.through === undefined
      ? suggestion && `Did you mean ${suggestion}?`
      : await likelyNames(request, suggestion, parts);
  return refusal(
    'tool.unknown',
    new HelveError('tool_not_found', `There is no tool ${JSON.stringify(request.tool.slice(0, 100))}`, {
      hint: hint ?? 'List the tools for the names that exist.',
      ...(request.through === undefined ? {} : { details: { through: request.through } }),
    }),
  );
}

/** A model that cannot list its tools guesses names by their words. */
async function likelyNames({ principal, tool }: MeantCall, mistyped: string | undefined, parts: PipelineParts) {
  const words = tool.slice(0, 200).replaceAll(/[_.-]+/g, ' ');
  const names = [...new Set([...(mistyped ? [mistyped] : []), ...(await parts.fittingTools(principal, words))])];
  return names.length === 0
    ? 'None of your tools is like it: look with search_tools.'
    : `Did you mean ${names.slice(0, 3).join(', ')}? If not, look with search_tools.`;
}
