/** The dependencies of every file of this surface. */
import type { Implementation, ServerOptions } from '@modelcontextprotocol/server';
import type { Plane } from '../../domain/plane.js';
import type { Conversations } from './conversations.js';
import type { McpExtras } from './extras.js';
import type { KnownTools } from './known-tools.js';
import type { OwnTools } from './own-tools.js';
import type { RequestStates } from './request-state.js';

export interface McpParts {
  readonly plane: Plane;
  readonly serverInfo: Implementation;
  readonly serverOptions: ServerOptions;
  readonly resultMaxChars: number;
  readonly extras: McpExtras;
  readonly knownTools: KnownTools;
  /** The tools of this door, if they are not those of the plane. */
  readonly ownTools?: OwnTools;
  readonly requestStates: RequestStates;
  /** Calls that wait for their clients at 2026-07-28. */
  readonly conversations: Conversations;
}
