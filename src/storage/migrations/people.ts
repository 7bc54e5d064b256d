/** Version 15: people have an address and a status, and a key that had every permission has the new ones too. */
import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../engine.js';
import type { Schema } from '../schema.js';

/** Every permission that there was before, in the order in which a key stores them. */
const before = [
  'tools:read',
  'tools:call',
  'agents:act',
  'agents:read',
  'agents:write',
  'grants:read',
  'grants:write',
  'connections:read',
  'connections:write',
  'catalogue:write',
  'policies:read',
  'policies:write',
  'approvals:read',
  'approvals:decide',
  'audit:read',
  'keys:write',
];

export async function up(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  const text = kind === 'postgres' ? 'text collate "C"' : 'text';
  await sql.raw(`alter table users add column email ${text}`).execute(db);
  await sql.raw(`alter table users add column status ${text} not null default 'active'`).execute(db);
  const after = JSON.stringify([...before, 'users:read', 'users:write']);
  await sql`update credentials set permissions = ${after} where permissions = ${JSON.stringify(before)}`.execute(db);
}
