/**
 * Who may use what, as a pure function of one revision of a workspace's configuration.
 *
 * Four layers, each of which can only narrow: the toolkit is on in the workspace, the tool is on in the toolkit, the
 * agent is assigned the toolkit (and connection), the grant names the tool and its argument limits hold. The decision
 * names the layer that refused.
 */
import type { Connection } from '../domain/connection.js';
import type { Decision, DefinitionPin, Grant, ToolkitSetting, WorkspaceConfiguration } from '../domain/grant.js';
import type { JsonObject, JsonSchema } from '../domain/json.js';
import type { Principal } from '../domain/principal.js';
import type { TaskScope } from '../domain/task-scope.js';
import type { Tool } from '../domain/tool.js';
import { defined } from '../util/defined.js';
import { createLookup } from '../util/lookup.js';
import { definitionName } from '../util/tool-definition.js';
import { refusedByStep, refusedByTask, type TaskRefusal } from './task.js';

export interface AccessQuestion {
  readonly configuration: WorkspaceConfiguration;
  readonly principal: Principal;
  readonly tool: Tool;
  readonly connectionId?: string;
  /** Undefined when only listing: argument limits are then not checked. */
  readonly input?: JsonObject;
}

export interface AccessAnswer {
  readonly decision: Decision;
  /** The grant that covers the call; undefined for principals that need none. */
  readonly grant?: Grant;
}

export type Satisfies = (schema: JsonSchema, value: unknown) => boolean;

// A list of an agent's tools does these look-ups for each account of the workspace, so none of them may scan the
// configuration.
const connectionsById = createLookup(({ id }: Connection) => id);
const settingsByToolkit = createLookup(({ toolkit }: ToolkitSetting) => toolkit);
const pinsByTool = createLookup(({ toolkit, tool }: DefinitionPin) => `${toolkit}\n${tool}`);
const grantsByAgent = createLookup(({ agentId }: Grant) => agentId);
const grantsByToolkit = createLookup(({ toolkit }: Grant) => toolkit);
const grantsByConnection = createLookup(({ connectionId = '' }: Grant) => connectionId);

/** The account with this id, in whatever state and whosever it is; undefined if there is none. Does not scan the accounts. */
export function lookUpConnection(
  { connections }: Pick<WorkspaceConfiguration, 'connections'>,
  id: string | undefined,
): Connection | undefined {
  return id === undefined ? undefined : connectionsById(connections, id)[0];
}

/**
 * Decides a call, or a listing if there is no input. `satisfies` checks a value against a schema. Never throws for a
 * refusal.
 */
export function decideAccess(question: AccessQuestion, satisfies: Satisfies): AccessAnswer {
  const refused = refusedByWorkspace(question) ?? refusedByConnection(question) ?? refusedByDefinition(question);
  return refused ? { decision: refused } : decideByPrincipal(question, satisfies);
}

/** One layer of the decision, judged by itself. */
export interface AccessStep {
  readonly layer: 'workspace' | 'connection' | 'definition' | 'grant';
  /** Undefined: nothing refuses it here. */
  readonly decision: Decision | undefined;
}

/**
 * Judges each layer of `decideAccess`, in its order, whatever the others say: the first refusal is its decision. `grant`:
 * the one that would cover the call.
 */
export function judgeAccess(
  question: AccessQuestion,
  satisfies: Satisfies,
): { readonly steps: readonly AccessStep[]; readonly grant?: Grant } {
  const { decision, grant } = decideByPrincipal(question, satisfies);
  const steps: AccessStep[] = [
    { layer: 'workspace', decision: refusedByWorkspace(question) },
    { layer: 'connection', decision: refusedByConnection(question) },
    { layer: 'definition', decision: refusedByDefinition(question) },
    { layer: 'grant', decision },
  ];
  return { steps, ...defined({ grant }) };
}

function decideByPrincipal(question: AccessQuestion, satisfies: Satisfies): AccessAnswer {
  const { principal, tool, input } = question;
  // An agent that may only see its tools can list them; a call needs the permission for every kind of principal.
  const mustHold = principal.kind !== 'agent' || input !== undefined;
  if (mustHold && !principal.permissions.includes('tools:call'))
    return { decision: deny('principal.permission', `${principal.name} does not hold the permission tools:call`) };
  const taken = principal.task && takenAway(principal.task, question);
  if (taken && !tool.intrinsic) return { decision: deny(taken.rule, taken.reason) };
  if (principal.kind !== 'agent') {
    const reason = `A ${principal.kind} of the workspace calls for itself`;
    return { decision: allow(`principal.${principal.kind}`, reason) };
  }
  const grants = getGrants(question.configuration, principal.id);
  if (tool.intrinsic) {
    return grants.length > 0
      ? { decision: allow('grant.intrinsic', 'Included in every grant') }
      : { decision: deny('grant.missing', `${principal.name} has no grant`) };
  }
  return decideByGrant(question, grants, satisfies);
}

/** What the issue of the work takes away, by its levels or by the present step of its recipe. */
function takenAway(task: TaskScope, { tool, connectionId }: AccessQuestion): TaskRefusal | undefined {
  const refused = refusedByTask(task, tool.id.toolkit, connectionId !== undefined);
  return refused ?? (task.step && refusedByStep(task.step, tool.id, connectionId));
}

function refusedByWorkspace({ configuration, tool }: AccessQuestion): Decision | undefined {
  const [setting] = settingsByToolkit(configuration.toolkits, tool.id.toolkit);
  if (!setting) return undefined;
  if (!setting.enabled)
    return deny('workspace.toolkit', `The toolkit ${tool.id.toolkit} is switched off in this workspace`);
  if (setting.enabledTools && !setting.enabledTools.includes(tool.id.name)) {
    return deny('workspace.tools', `${tool.id.name} is not among the workspace's enabled tools of ${tool.id.toolkit}`);
  }
  return undefined;
}

/** Whether the account, in its present state, can be used by and for this principal. */
function refusedByConnection({ configuration, principal, tool, connectionId }: AccessQuestion): Decision | undefined {
  if (connectionId === undefined) return undefined;
  const connection = lookUpConnection(configuration, connectionId);
  if (!connection || connection.toolkit !== tool.id.toolkit)
    return deny('connection.missing', 'The connection no longer exists');
  if (!isVisible(connection, principal))
    return deny('connection.visibility', 'The connection is private to another user');
  if (connection.status !== 'active') {
    const why = connection.reason === undefined ? '' : `: ${connection.reason}`;
    return deny('connection.status', `The connection ${connection.name} is ${connection.status}${why}`);
  }
  const { scopes } = connection;
  const missing = scopes === undefined ? [] : tool.scopes.filter((scope) => !scopes.includes(scope));
  if (missing.length === 0) return undefined;
  return deny(
    'connection.scopes',
    `The connection was not granted ${missing.join(', ')}: connect it again with these scopes`,
  );
}

/** Whether a principal may see an account. All code that shows an account calls one of these three functions. */
export function isVisible(connection: Connection, { id, onBehalfOf, ownAccountsOnly }: Principal): boolean {
  if (connection.visibility === 'workspace' && !ownAccountsOnly) return true;
  return connection.ownerId === id || connection.ownerId === onBehalfOf?.id;
}

/**
 * Whether a principal may see an account: a person's own, or one that the agent was granted, whether or not it may
 * still use it.
 */
export function knowsAccount(
  configuration: Connections & Pick<WorkspaceConfiguration, 'grants'>,
  principal: Principal,
  connectionId: string | undefined,
): boolean {
  if (seesAccount(configuration, principal, connectionId)) return true;
  const grants = principal.kind === 'agent' ? getGrants(configuration, principal.id) : [];
  return connectionId !== undefined && grantsByConnection(grants, connectionId).length > 0;
}

type Connections = Pick<WorkspaceConfiguration, 'connections'>;

export function visibleConnections({ connections }: Connections, principal: Principal): readonly Connection[] {
  return connections.filter((connection) => isVisible(connection, principal));
}

/**
 * Whether a principal may see what is bound to this account, if to any. If the account no longer exists, there is no
 * owner left to protect.
 */
export function seesAccount(
  configuration: Connections,
  principal: Principal,
  connectionId: string | undefined,
): boolean {
  if (connectionId === undefined) return !principal.ownAccountsOnly;
  const connection = lookUpConnection(configuration, connectionId);
  return connection !== undefined && isVisible(connection, principal);
}

/** A definition that its maker changed is not called until someone has agreed to it. */
function refusedByDefinition({ configuration, tool }: AccessQuestion): Decision | undefined {
  if (!tool.definition) return undefined;
  const { toolkit, name } = tool.id;
  const [pin] = pinsByTool(configuration.pins, `${toolkit}\n${definitionName(tool)}`);
  if (pin?.hash === tool.definition.hash) return undefined;
  return deny(
    'definition.changed',
    `The maker of ${name} changed its definition, and no one has agreed to the change yet`,
  );
}

function decideByGrant(question: AccessQuestion, grants: readonly Grant[], satisfies: Satisfies): AccessAnswer {
  const { principal, tool, connectionId, input } = question;
  const assigned = grantsByToolkit(grants, tool.id.toolkit);
  if (assigned.length === 0) {
    return { decision: deny('grant.missing', `${principal.name} has no grant for the toolkit ${tool.id.toolkit}`) };
  }
  const [grant] = grantsByConnection(assigned, connectionId ?? '');
  if (!grant) return { decision: deny('grant.connection', `${principal.name} has no grant for this connection`) };
  if (!grant.tools.includes(tool.id.name)) {
    return { decision: deny('grant.tools', `The grant on ${tool.id.toolkit} does not include ${tool.id.name}`) };
  }
  const limits = Object.hasOwn(grant.limits, tool.id.name) ? grant.limits[tool.id.name] : undefined;
  if (input !== undefined && limits !== undefined && !satisfies(limits, input)) {
    return { decision: deny(`grant:${grant.id}.limits`, `The arguments are outside the limits of the grant`), grant };
  }
  return { decision: allow(`grant:${grant.id}`, `Granted to ${principal.name}`), grant };
}

/** Returns the agent's grants. */
export function getGrants({ grants }: Pick<WorkspaceConfiguration, 'grants'>, agentId: string): readonly Grant[] {
  return grantsByAgent(grants, agentId);
}

function allow(rule: string, reason: string): Decision {
  return { effect: 'allow', rule, reason };
}

function deny(rule: string, reason: string): Decision {
  return { effect: 'deny', rule, reason };
}
