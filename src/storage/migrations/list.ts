/** Every migration, in order. One that has been released is never changed. */
import type { Kysely } from 'kysely';
import type { DatabaseKind } from '../engine.js';
import type { Schema } from '../schema.js';
import { up as actorFacts } from './actor-facts.js';
import { up as actors } from './actors.js';
import { up as agentWorkers } from './agent-workers.js';
import { up as approvals } from './approvals.js';
import { up as auditBlocks } from './audit-blocks.js';
import { up as authorizations } from './authorizations.js';
import { up as calls } from './calls.js';
import { up as catalogue } from './catalogue.js';
import { up as configurationChanges } from './configuration-changes.js';
import { up as connections } from './connections.js';
import { up as credentialLives } from './credential-lives.js';
import { up as documents } from './documents.js';
import { up as first } from './first.js';
import { up as identities } from './identities.js';
import { up as issues } from './issues.js';
import { up as keyRoles } from './key-roles.js';
import { up as learnedTypes } from './learned-types.js';
import { up as mcpSessions } from './mcp-sessions.js';
import { up as notifications } from './notifications.js';
import { up as people } from './people.js';
import { up as personPrograms } from './person-programs.js';
import { up as programVersions } from './program-versions.js';
import { up as recipes } from './recipes.js';
import { up as recordArchives } from './record-archives.js';
import { up as renewalPauses } from './renewal-pauses.js';
import { up as runTakeovers } from './run-takeovers.js';
import { up as runs } from './runs.js';
import { up as severalProcesses } from './several-processes.js';
import { up as taskSources } from './task-sources.js';
import { up as toolModes } from './tool-modes.js';
import { up as whose } from './whose.js';

export interface Migration {
  readonly version: number;
  readonly name: string;
  /**
   * The lowest schema whose programs work on after this migration as before it: they read and write the same tables at the same
   * time. Give it where everything is added that such a program neither sees nor must fill (a table, an index, a column with a
   * default). Without it, every process of an older Helve must have stopped before.
   */
  readonly oldestReader?: number;
  up(db: Kysely<Schema>, kind: DatabaseKind): Promise<void>;
}

export const migrations: readonly Migration[] = [
  { version: 1, name: 'first', up: first },
  { version: 2, name: 'documents', up: documents },
  { version: 3, name: 'connections', up: connections },
  { version: 4, name: 'authorizations', up: authorizations },
  { version: 5, name: 'catalogue', up: catalogue },
  { version: 6, name: 'tool modes', up: toolModes },
  { version: 7, name: 'credential lives', up: credentialLives },
  { version: 8, name: 'whose', up: whose },
  { version: 9, name: 'approvals', up: approvals },
  { version: 10, name: 'audit blocks', up: auditBlocks },
  { version: 11, name: 'renewal pauses', up: renewalPauses },
  { version: 12, name: 'learned types', up: learnedTypes },
  { version: 13, name: 'runs', up: runs },
  { version: 14, name: 'run takeovers', up: runTakeovers },
  { version: 15, name: 'people', up: people },
  { version: 16, name: 'identities', up: identities },
  { version: 17, name: 'calls', up: calls },
  { version: 18, name: 'key roles', up: keyRoles },
  { version: 21, name: 'actors', up: actors },
  { version: 22, name: 'issues', up: issues },
  { version: 23, name: 'task sources', up: taskSources },
  { version: 24, name: 'actor facts', up: actorFacts },
  { version: 25, name: 'person programs', up: personPrograms },
  { version: 26, name: 'agent workers', up: agentWorkers },
  { version: 27, name: 'recipes', up: recipes },
  { version: 28, name: 'record archives', up: recordArchives },
  { version: 29, name: 'several processes', up: severalProcesses },
  { version: 30, name: 'notifications', up: notifications },
  { version: 31, name: 'mcp sessions', up: mcpSessions },
  { version: 32, name: 'configuration changes', oldestReader: 31, up: configurationChanges },
  { version: 33, name: 'program versions', oldestReader: 31, up: programVersions },
];

/** The version of the schema that this Helve writes. */
export const latestVersion = migrations.at(-1)?.version ?? 0;
