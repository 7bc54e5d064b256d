/**
 * Whether the program that makes a call may also submit the person's answer to it (docs/decisions/0012). The holder of
 * an agent's token is that program, and could approve by itself. So this is only allowed if a person has signed in to
 * the program and the call is not high-risk, or if the operator has stated that a person uses the program.
 */
import type { Principal } from '../domain/principal.js';
import type { Tool } from '../domain/tool.js';

export interface ElicitationSettings {
  /** False: no program answers, whatever else is configured. */
  readonly enabled: boolean;
  /** Slugs of agents whose programs may answer for every call. */
  readonly agents: readonly string[];
}

export interface ElicitationQuestion {
  readonly principal: Principal;
  readonly tool: Pick<Tool, 'highRisk' | 'risk' | 'approver'>;
  /** The setting of the policies that require the approval; undefined if they have none. */
  readonly policy: boolean | undefined;
}

/** Returns whether the calling program may submit the person's answer. */
export function mayElicit({ enabled, agents }: ElicitationSettings, question: ElicitationQuestion): boolean {
  const { principal, tool, policy } = question;
  if (!enabled || policy === false || tool.approver) return false;
  if (policy === true || (principal.kind === 'agent' && agents.includes(principal.name))) return true;
  const grave = tool.highRisk || tool.risk === 'destructive';
  return principal.onBehalfOf?.kind === 'user' && !grave;
}
