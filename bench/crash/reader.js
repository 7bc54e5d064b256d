/**
 * Reads the store without Helve: plain SQL through the database's own driver; the hash chain is computed from its
 * description. All that one read returns is from the same moment.
 */
import { createHash } from 'node:crypto';
import Database from 'libsql';
import pg from 'pg';

const chainStart = '0'.repeat(64);

/**
 * @typedef {{ sql: string, values: unknown[] }} Statement
 * @typedef {object} Look
 * @property {object[]} rows of the record after the given position
 * @property {{ seq: number, hash: string }} head
 * @property {object[]} intents each with the `pid` of its instance, if that is known
 * @property {object[]} approvals
 */

/** @param {string} location @param {number} after @param {Statement[]} pretended changes that are rolled back @returns {Promise<Look>} */
export async function look(location, after = 0, pretended = []) {
  const database = await open(location);
  try {
    await database.query(database.kind === 'sqlite' ? 'begin' : 'begin isolation level repeatable read');
    for (const { sql, values } of pretended) await database.query(sql, values);
    const rows = await database.query('select * from audit_events where seq > ? order by seq', [after]);
    const [workspace] = await database.query('select audit_seq, audit_hash from workspaces');
    const intents = await database.query(
      'select intents.*, instances.pid from intents left join instances on instances.id = intents.instance_id',
    );
    const approvals = await database.query('select id, status, execution_id from approvals');
    await database.query('rollback');
    return {
      rows,
      head: { seq: Number(workspace?.audit_seq ?? 0), hash: workspace?.audit_hash ?? chainStart },
      intents,
      approvals,
    };
  } finally {
    await database.close();
  }
}

async function open(location) {
  if (!location.startsWith('postgres')) {
    const database = new Database(location);
    database.exec('pragma busy_timeout = 5000');
    return {
      kind: 'sqlite',
      async query(sql, values = []) {
        const statement = database.prepare(sql);
        if (statement.reader) return statement.all(values);
        statement.run(values);
        return [];
      },
      async close() {
        database.close();
      },
    };
  }
  const client = new pg.Client({ connectionString: location, options: '-c search_path=helve' });
  client.on('error', () => {});
  await client.connect();
  return {
    kind: 'postgres',
    async query(sql, values = []) {
      let place = 0;
      return (
        await client.query(
          sql.replaceAll('?', () => `$${++place}`),
          values,
        )
      ).rows;
    },
    close: () => client.end(),
  };
}

/** The record as far as it was read: follows the chain, and knows the outcome of each execution. */
export function createRecord() {
  const record = {
    seq: 0,
    hash: chainStart,
    /** @type {string[]} */
    broken: [],
    /** @type {Map<string, { tool: string, started: number, approvalId?: string, outcomes: string[] }>} */
    executions: new Map(),
    /** Executions that have new rows since this was last emptied. @type {typeof record.executions} */
    touched: new Map(),
    /** Started, without an outcome so far. @type {Set<string>} */
    open: new Set(),
    /** @param {object} row */
    add(row) {
      follow(record, row);
      if (row.execution_id !== null) note(record, row);
    },
  };
  return record;
}

function follow(record, row) {
  const seq = Number(row.seq);
  const body = JSON.parse(row.body);
  const behalf = row.on_behalf_of === null ? null : JSON.parse(row.on_behalf_of);
  const text = JSON.stringify([
    record.hash,
    row.workspace_id,
    seq,
    row.at,
    row.type,
    row.execution_id,
    row.tool,
    [row.actor_kind, row.actor_id, row.actor_name],
    behalf && [behalf.kind, behalf.id, behalf.name],
    body,
  ]);
  if (seq !== record.seq + 1) record.broken.push(`row ${record.seq + 1} is missing`);
  else if (createHash('sha256').update(text).digest('hex') !== row.hash) record.broken.push(`row ${seq} was changed`);
  record.seq = seq;
  record.hash = row.hash;
}

function note(record, row) {
  const id = row.execution_id;
  const known = record.executions.get(id) ?? { tool: row.tool, started: 0, outcomes: [] };
  record.executions.set(id, known);
  record.touched.set(id, known);
  const body = JSON.parse(row.body);
  if (row.type === 'execution.started') {
    known.started += 1;
    if (body.approvalId !== undefined) known.approvalId = body.approvalId;
    record.open.add(id);
  } else {
    const type = row.type.slice('execution.'.length);
    known.outcomes.push(type === 'finished' ? `finished ${body.status}` : type);
    record.open.delete(id);
  }
}
