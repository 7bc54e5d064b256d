/** Everything about a tool that whoever wants to call it may ask. */
import { capabilitiesOf } from '../../discovery/index.js';
import { decidePolicy } from '../../policies/index.js';
import { satisfies } from '../../schema/checks.js';
import { printDeclarations } from '../../schema/typescript/index.js';
import type { ApprovalNeed, ToolDescription } from '../../spec/discovery.js';
import type { Policy, PolicyEffect } from '../../spec/grant.js';
import type { Principal } from '../../spec/principal.js';
import type { Tool } from '../../spec/tool.js';
import { toolSignature } from '../../util/tool-signature.js';
import type { ReachedTool } from './reach.js';

export function describeTool(
  { name, tool, slug, connectionId }: ReachedTool,
  principal: Principal,
  policies: readonly Policy[],
): ToolDescription {
  const { id, title, description, inputSchema, outputSchema, annotations, risk, examples } = tool;
  const stated = tool.capabilities;
  const derived = capabilitiesOf({ toolkit: id.toolkit, name: id.name, description });
  return {
    ...{ name, toolkit: id.toolkit, title, description, signature: toolSignature(tool) },
    ...(connectionId === undefined || slug === undefined ? {} : { connection: slug }),
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...{ declaration: declare(name, tool), annotations, risk, examples },
    capabilities: stated.length > 0 ? stated : derived.map(({ verb, object }) => `${verb} ${object}`.trim()),
    approval: approvalNeed(tool, principal, policies),
  };
}

function declare(name: string, { inputSchema, outputSchema }: Tool): string {
  const identifier = name.replaceAll(/[^a-zA-Z0-9_]/g, '_');
  const type = identifier.replaceAll(/(?:^|_)+([a-zA-Z0-9])/g, (_, first: string) => first.toUpperCase());
  const entries = [{ name: `${type}Input`, schema: inputSchema }];
  if (outputSchema) entries.push({ name: `${type}Output`, schema: outputSchema });
  const { text, names } = printDeclarations(entries);
  return `${text.trim()}\nexport declare function ${identifier}(input: ${names[0]}): Promise<${names[1] ?? 'unknown'}>;`;
}

const needs: Readonly<Record<PolicyEffect, ApprovalNeed>> = {
  allow: 'none',
  require_approval: 'required',
  deny: 'denied',
};

/** Policies that look at the arguments may hold or not: where that makes a difference, it depends on them. */
function approvalNeed(tool: Tool, principal: Principal, policies: readonly Policy[]): ApprovalNeed {
  const decide = (list: readonly Policy[]): PolicyEffect =>
    decidePolicy({ policies: list, principal, tool, input: {} }, satisfies).decision.effect;
  const always = decide(policies.filter(({ when }) => when.arguments === undefined));
  const whenAllHold = decide(policies.map(withoutArguments));
  return always === whenAllHold ? needs[always] : 'depends';
}

function withoutArguments({ when: { arguments: _, ...when }, ...policy }: Policy): Policy {
  return { ...policy, when };
}
