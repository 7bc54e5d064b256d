/**
 * Which of the tools that a name can mean is meant. A form that names no account (`GMAIL_FETCH_EMAILS`) means the tool
 * with any account, so only accounts that the caller can use compete for it: one that never finished connecting, or that
 * the caller was not granted, does not get in the way of one that works.
 */
import { HelveError } from '../../domain/errors.js';
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import { toAuditName } from '../../domain/naming/index.js';
import type { Principal } from '../../domain/principal.js';
import type { NamedTool, PipelineParts } from './parts.js';

export interface MeaningQuestion {
  /** All that the name can mean: `Catalogue.match`. */
  readonly matches: readonly NamedTool[];
  readonly configuration: WorkspaceConfiguration;
  readonly principal: Principal;
}

/**
 * One entry: that tool. Several: the caller can use each of them, and the name does not say which. None: the caller knows
 * of no such tool. Where the caller can use none of several, the answer is the one whose refusal says most.
 */
export function meantTools(
  { matches, configuration, principal }: MeaningQuestion,
  { knowsAccount, decide }: Pick<PipelineParts, 'knowsAccount' | 'decide'>,
): readonly NamedTool[] {
  const known = matches.filter(({ connectionId }) => knowsAccount(configuration, principal, connectionId));
  if (known.length < 2) return known;
  const decided = known.map((entry) => {
    const { tool, connectionId } = entry;
    return { entry, decision: decide({ configuration, principal, tool, connectionId }).decision };
  });
  const usable = decided.filter(({ decision }) => decision.effect !== 'deny');
  if (usable.length > 0) return usable.map(({ entry }) => entry);
  const telling = decided.find(({ decision }) => !decision.rule.startsWith('grant.')) ?? decided[0];
  return telling ? [telling.entry] : [];
}

const maxNamed = 20;

/** The refusal of a name that means several tools which the caller can all use: the hint gives their full names. */
export function ambiguousName(text: string, meant: readonly NamedTool[]): HelveError {
  const names = meant.map(({ name }) => name);
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
  return new HelveError(
    'ambiguous',
    `${JSON.stringify(text.slice(0, 100))} can mean ${names.length} of your tools, and does not say which`,
    {
      hint: `Call one of ${names.slice(0, maxNamed).join(', ')}${more}.`,
      details: { names: names.slice(0, maxNamed) },
    },
  );
}

/** The name under which the record keeps a tool: `GitHub.createIssue`. */
export function recordName({ tool, toolkitTitle }: Pick<NamedTool, 'tool' | 'toolkitTitle'>): string {
  return toAuditName(tool.id, toolkitTitle);
}
