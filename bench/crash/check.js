/**
 * What must be true after kills. The checks are pure functions of what was read: the acknowledgements, the lines that
 * effects wrote, the record, the open intents and the approvals. Each check names what it found.
 */

/** The possible answers to each kind of call; `ok` is success. */
const expected = {
  effect: ['ok'],
  calculate: ['ok'],
  value: ['ok'],
  refused: ['not_granted'],
  ask: ['approval_required'],
  // Two calls share one approval: the second finds it used, before or in the commit.
  approved: ['ok', 'conflict', 'approval_required'],
  reuse: ['conflict'],
};

export const titles = {
  unexpected: 'answers that this kind of call cannot have',
  lost: 'acknowledged calls without their final row',
  unannounced: 'effects without an `execution.started` row',
  repeated: 'effects that happened twice',
  unsettled: 'started calls without exactly one outcome',
  leftOpen: 'open intents of dead processes',
  chain: 'breaks of the hash chain',
  approvals: 'approvals used more than once, or not as the record says',
  start: 'starts after a kill that took too long',
};

/**
 * @typedef {{ executionId: string, ok: boolean, kind: string, code?: string }} Acknowledgement
 * @typedef {{ executionId: string, tool: string, n: string }} Effect
 * @typedef {object} Facts
 * @property {Acknowledgement[]} acknowledged
 * @property {Effect[]} effects all so far
 * @property {ReturnType<import('./reader.js').createRecord>} record
 * @property {import('./reader.js').Look} look
 * @property {number} [livePid] the process that may have open intents; approvals are not checked then, because they change
 */

/** @param {Facts} facts @returns {Record<string, string[]>} what each check found; all empty if nothing is wrong */
export function check({ acknowledged, effects, record, look, livePid }) {
  const found = Object.fromEntries(Object.keys(titles).map((id) => [id, /** @type {string[]} */ ([])]));
  for (const answer of acknowledged) checkAnswer(answer, record, found);
  checkEffects(effects, record, found);
  checkOutcomes(record, look, livePid, found);
  found.chain.push(...record.broken);
  if (record.seq !== look.head.seq || record.hash !== look.head.hash) {
    found.chain.push(`the record ends at row ${record.seq}, the chain at ${look.head.seq}`);
  }
  if (livePid === undefined) checkApprovals(record, look, found);
  return found;
}

function checkAnswer(answer, record, found) {
  const { executionId, ok, kind, code } = answer;
  if (!expected[kind]?.includes(ok ? 'ok' : code)) found.unexpected.push(`${kind} ${executionId}: ${code ?? 'ok'}`);
  const outcomes = record.executions.get(executionId)?.outcomes ?? [];
  const recorded = ok ? ['finished ok'] : ['refused', 'finished failed'];
  if (!outcomes.some((outcome) => recorded.includes(outcome))) {
    found.lost.push(`${kind} ${executionId}: the record has ${outcomes.join(', ') || 'nothing'}`);
  }
}

/** The name of a tool as the record writes it. */
function camelCase(name) {
  return name.replaceAll(/_([a-z])/g, (_, letter) => letter.toUpperCase());
}

function checkEffects(effects, record, found) {
  const executions = new Set();
  const inputs = new Set();
  for (const { executionId, tool, n } of effects) {
    const known = record.executions.get(executionId);
    if (known?.started !== 1 || known.tool !== `Custom.${camelCase(tool)}`)
      found.unannounced.push(`${tool} ${executionId}`);
    if (executions.has(executionId) || inputs.has(n)) found.repeated.push(`${tool} ${n} ${executionId}`);
    executions.add(executionId);
    inputs.add(n);
  }
}

function checkOutcomes(record, look, livePid, found) {
  const live = new Set();
  for (const { execution_id: id, pid, tool } of look.intents) {
    if (livePid !== undefined && Number(pid) === livePid) live.add(id);
    else found.leftOpen.push(`${tool} ${id}`);
  }
  for (const id of record.open) if (!live.has(id)) found.unsettled.push(`${id}: no outcome`);
  for (const [id, { started, outcomes }] of record.touched) {
    if (started > 1) found.unsettled.push(`${id}: started ${started} times`);
    if (outcomes.length > 1) found.unsettled.push(`${id}: ${outcomes.join(' and ')}`);
    // A refused call did not start; every other call that ended must have started.
    if (outcomes.length === 1 && (outcomes[0] === 'refused') === started > 0) {
      found.unsettled.push(`${id}: ${outcomes[0]}, started ${started} times`);
    }
    if (outcomes.length > 0 && live.has(id)) found.unsettled.push(`${id}: an outcome and an open intent`);
  }
}

function checkApprovals(record, look, found) {
  const users = new Map();
  for (const [id, { tool, started, approvalId }] of record.executions) {
    if (started > 0 && tool === 'Custom.appendCarefully' && approvalId === undefined) {
      found.approvals.push(`${id} ran without one`);
    }
    if (approvalId === undefined) continue;
    if (users.has(approvalId)) found.approvals.push(`${approvalId}: ${users.get(approvalId)} and ${id}`);
    users.set(approvalId, id);
  }
  for (const { id, status, execution_id: user } of look.approvals) {
    const recorded = users.get(id);
    if ((status === 'used') === (recorded === undefined) || (status === 'used' && recorded !== user)) {
      found.approvals.push(`${id} is ${status} by ${user}; the record says ${recorded}`);
    }
  }
}

/** @param {Record<string, string[]>[]} all the results of several checks; each finding is returned once */
export function together(all) {
  return Object.fromEntries(Object.keys(titles).map((id) => [id, [...new Set(all.flatMap((found) => found[id]))]]));
}
