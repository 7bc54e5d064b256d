/**
 * Whether the program that makes a call may also give the person's answer to it (docs/decisions/0012). Whoever holds an
 * agent's token is that program, and can say yes as well as a person could. So this is only allowed where a person has
 * signed in to the program and the call is not a grave one, or where the operator has said that a person sits there.
 */
import type { Principal } from '../domain/principal.js';
import type { Tool } from '../domain/tool.js';

export interface ElicitationSettings {
  /** False: no program answers, whatever else is said. */
  readonly enabled: boolean;
  /** Slugs of agents whose programs may answer for every call. */
  readonly agents: readonly string[];
}

export interface ElicitationQuestion {
  readonly principal: Principal;
  readonly tool: Pick<Tool, 'highRisk' | 'risk'>;
  /** What the policies that ask for the approval say; undefined when they say nothing. */
  readonly policy: boolean | undefined;
}

export function mayElicit({ enabled, agents }: ElicitationSettings, question: ElicitationQuestion): boolean {
  const { principal, tool, policy } = question;
  if (!enabled || policy === false) return false;
  if (policy === true || (principal.kind === 'agent' && agents.includes(principal.name))) return true;
  const grave = tool.highRisk || tool.risk === 'destructive';
  return principal.onBehalfOf?.kind === 'user' && !grave;
}
