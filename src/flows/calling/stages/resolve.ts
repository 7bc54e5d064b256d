/** Finds the requested tool: by its model-facing name first, then by any other written form. */
import { HelveError } from '../../../domain/errors.js';
import { didYouMean, nearest } from '../../../util/nearest.js';
import { type MeantCall, type Refusal, type ResolvedCall, refusal } from '../calls.js';
import { ambiguousName, meantTools } from '../meant-tool.js';
import type { NamedTool, PipelineParts } from '../parts.js';
import { targetsWithinReach, withinReach } from '../within-reach.js';

export async function resolve(
  request: MeantCall,
  executionId: string,
  parts: PipelineParts,
): Promise<ResolvedCall | Refusal> {
  const { principal } = request;
  const { workspaceId } = principal;
  let catalogue = await parts.catalogue(workspaceId, request.tool);
  let configuration = await parts.configurations.get(workspaceId);
  const findMeant = () => meantTools({ matches: catalogue.match(request.tool), configuration, principal }, parts);
  let meant = findMeant();
  if (meant.length !== 1) {
    // Another process may have connected or disconnected an account since.
    configuration = await parts.configurations.getFresh(workspaceId);
    catalogue = await parts.catalogue(workspaceId, request.tool);
    meant = findMeant();
  }
  const [target, ...others] = meant;
  if (target && others.length === 0) return { executionId, request, target, configuration };
  if (target) return refusal('tool.ambiguous', ambiguousName(request.tool, meant));

  // Only names that this principal can see are suggested: a refusal must not reveal hidden tools. They are those of the whole workspace,
  // so that the suggestion for the name of a hidden tool does not differ from that for a name that does not exist.
  const whole = await parts.catalogue(workspaceId, targetsWithinReach(configuration, principal));
  const visible = withinReach(whole, configuration, principal).filter(
    ({ tool, connectionId }) =>
      parts.decide({ configuration, principal, tool, connectionId }).decision.effect !== 'deny',
  );
  const suggested = suggestNames(request.tool, visible);
  const hint =
    request.through === undefined
      ? didYouMean(suggested.join(' or ') || undefined, 'List the tools for the names that exist.')
      : await likelyNames(request, suggested, parts);
  return refusal(
    'tool.unknown',
    new HelveError('tool_not_found', `There is no tool ${JSON.stringify(request.tool.slice(0, 100))}`, {
      hint,
      ...(request.through === undefined ? {} : { details: { through: request.through } }),
    }),
  );
}

const mostSuggested = 3;

/** The nearest name. If none is near: tools whose own name is, because the account may be left out, or another one named. */
function suggestNames(asked: string, visible: readonly NamedTool[]): readonly string[] {
  const near = nearest(
    asked,
    visible.map(({ name }) => name),
  );
  if (near !== undefined) return [near];
  const own = nearest(
    asked.split(/\.|__/).at(-1) ?? '',
    visible.map(({ tool }) => tool.id.name),
  );
  const named = visible.filter(({ tool }) => tool.id.name === own);
  return named.slice(0, mostSuggested).map(({ name }) => name);
}

/** A model that cannot list its tools guesses names from words. */
async function likelyNames({ principal, tool }: MeantCall, mistyped: readonly string[], parts: PipelineParts) {
  const words = tool.slice(0, 200).replaceAll(/[_.-]+/g, ' ');
  const names = [...new Set([...mistyped, ...(await parts.fittingTools(principal, words))])];
  return names.length === 0
    ? 'None of your tools has a similar name: use search_tools.'
    : `${didYouMean(names.slice(0, mostSuggested).join(' or '))} If not, use search_tools.`;
}
