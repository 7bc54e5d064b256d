/**
 * Which of the tools that match a name is meant. A form without an account (`GMAIL_FETCH_EMAILS`) means the tool with
 * any account, so only accounts that the caller can use count: one that never finished connecting, or that the caller
 * was not granted, does not conflict with one that works.
 */
import { HelveError } from '../../domain/errors.js';
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import { toAuditName } from '../../domain/naming/index.js';
import type { Principal } from '../../domain/principal.js';
import type { NamedTool, PipelineParts } from './parts.js';

export interface MeaningQuestion {
  /** All tools that match the name: `Catalogue.match`. */
  readonly matches: readonly NamedTool[];
  readonly configuration: WorkspaceConfiguration;
  readonly principal: Principal;
}

/**
 * One entry: that tool. Several: the caller can use each of them, and the name is ambiguous. None: the caller knows no
 * such tool. If the caller can use none of several, the result is the one with the most informative refusal.
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

/**
 * Creates the refusal of a name that matches several tools which the caller can use: the hint lists their full names.
 */
export function ambiguousName(text: string, meant: readonly NamedTool[]): HelveError {
  const names = meant.map(({ name }) => name);
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
  return new HelveError(
    'ambiguous',
    `${JSON.stringify(text.slice(0, 100))} is ambiguous: it can mean ${names.length} of your tools`,
    {
      hint: `Call one of ${names.slice(0, maxNamed).join(', ')}${more}.`,
      details: { names: names.slice(0, maxNamed) },
    },
  );
}

/** Entries of a catalogue are immutable, so their names, which every row of a call has, are made once. */
const recordNames = new WeakMap<Pick<NamedTool, 'tool' | 'toolkitTitle'>, string>();

/** The tool's audit name: `GitHub.createIssue`. */
export function recordName(entry: Pick<NamedTool, 'tool' | 'toolkitTitle'>): string {
  const known = recordNames.get(entry);
  if (known !== undefined) return known;
  const name = toAuditName(entry.tool.id, entry.toolkitTitle);
  recordNames.set(entry, name);
  return name;
}
