/**
 * Damage that the checks must find, to show that they can fail. Each is applied to the store in a transaction that is rolled
 * back, or to the effects that were read.
 */

/**
 * @typedef {object} Fault
 * @property {string} title
 * @property {string} caughtBy the check that must find it
 * @property {(seen: Awaited<ReturnType<typeof import('./loop.js').checkAll>>, acknowledged: import('./check.js').Acknowledgement[]) =>
 *   { statements?: import('./reader.js').Statement[], effects?: import('./check.js').Effect[] }} make
 */

const remove = (executionId, type) => ({
  sql: 'delete from audit_events where execution_id = ? and type = ?',
  values: [executionId, type],
});

/** @type {Record<string, Fault>} */
export const faults = {
  finished: {
    title: 'the final row of an acknowledged call is gone',
    caughtBy: 'lost',
    make: (_, acknowledged) => ({
      statements: [remove(any(acknowledged, ({ ok }) => ok).executionId, 'execution.finished')],
    }),
  },
  refused: {
    title: 'the row of an acknowledged refusal is gone',
    caughtBy: 'lost',
    make: (_, acknowledged) => ({
      statements: [remove(any(acknowledged, ({ kind }) => kind === 'refused').executionId, 'execution.refused')],
    }),
  },
  started: {
    title: 'the intent row of an effect is gone',
    caughtBy: 'unannounced',
    make: ({ effects }) => ({ statements: [remove(any(effects).executionId, 'execution.started')] }),
  },
  repeated: {
    title: 'an effect happened again under another execution',
    caughtBy: 'repeated',
    make: ({ effects }) => ({ effects: [{ ...any(effects), executionId: 'another' }] }),
  },
  unsettled: {
    title: 'an unacknowledged call has no outcome',
    caughtBy: 'unsettled',
    make({ record }) {
      const [id, { outcomes }] = any([...record.executions], ([, { started }]) => started > 0);
      return { statements: [remove(id, `execution.${outcomes[0].split(' ')[0]}`)] };
    },
  },
  intent: {
    title: 'the intent of a dead process is still open',
    caughtBy: 'leftOpen',
    make: ({ look }) => ({
      statements: [
        {
          sql: `insert into intents (workspace_id, execution_id, tool, actor, started_at, instance_id)
            values (?, 'left', 'custom.append', '{}', '2026-01-01T00:00:00.000Z', 'dead')`,
          values: [look.rows[0].workspace_id],
        },
      ],
    }),
  },
  changed: {
    title: 'a row was changed',
    caughtBy: 'chain',
    make: ({ look }) => ({
      statements: [{ sql: "update audit_events set tool = 'x' where seq = ?", values: [Math.ceil(look.head.seq / 2)] }],
    }),
  },
  cut: {
    title: 'the last row is gone',
    caughtBy: 'chain',
    make: ({ look }) => ({ statements: [{ sql: 'delete from audit_events where seq = ?', values: [look.head.seq] }] }),
  },
  approval: {
    title: 'an approval let two calls run',
    caughtBy: 'approvals',
    make({ record, look }) {
      const [, { approvalId }] = any([...record.executions], ([, call]) => call.approvalId !== undefined);
      const other = any(look.rows, ({ type, body }) => type === 'execution.started' && !body.includes(approvalId));
      const body = JSON.stringify({ ...JSON.parse(other.body), approvalId });
      return { statements: [{ sql: 'update audit_events set body = ? where seq = ?', values: [body, other.seq] }] };
    },
  },
};

/** @template T @param {T[]} items @param {(item: T) => boolean} [wanted] @returns {T} */
function any(items, wanted = () => true) {
  const found = items.filter(wanted);
  if (found.length === 0) throw new Error('The run was too short to contain what this fault needs: ask for more kills');
  return found[Math.floor(Math.random() * found.length)];
}
