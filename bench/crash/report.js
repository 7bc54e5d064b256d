/** The output of a run: a bar or plain lines while it runs, then figures as JSON and a table. */
import { loadavg } from 'node:os';
import { titles } from './check.js';

const barWidth = 30;

/** @param {NodeJS.WriteStream} stream */
export function createProgress(stream, store, kills) {
  const step = Math.max(1, Math.floor(kills / 10));
  return (state) => {
    const problems = count(state.found);
    const text = `${store} ${state.kills + 1}/${kills} kills · ${state.acknowledged.length} answers · ${problems} problems`;
    if (stream.isTTY) {
      const full = Math.round(((state.kills + 1) / kills) * barWidth);
      stream.write(`\r\x1b[2K[${'#'.repeat(full)}${'.'.repeat(barWidth - full)}] ${text}`);
      if (state.kills + 1 === kills) stream.write('\n');
    } else if ((state.kills + 1) % step === 0) stream.write(`${text}\n`);
  };
}

const count = (found) => Object.values(found).reduce((sum, list) => sum + list.length, 0);

function spread(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}

export function summarise({ store, lanes, state, all, seconds }) {
  const executions = all && [...all.record.executions.values()];
  const found = state.found;
  return {
    store,
    lanes,
    kills: state.kills,
    killsDuringStart: state.earlyKills,
    seconds: Math.round(seconds),
    acknowledged: state.acknowledged.length,
    effects: all?.effects.length,
    interrupted: executions?.filter(({ outcomes }) => outcomes[0] === 'interrupted').length,
    approvalsUsed: all?.look.approvals.filter(({ status }) => status === 'used').length,
    rows: all?.record.seq,
    startMs: { open: spread(state.opened), firstAnswer: spread(state.answered), processor: spread(state.readyCpu) },
    loadAverage: loadavg().map((load) => Number(load.toFixed(1))),
    complete: all !== undefined,
    ok: count(found) === 0,
    problems: Object.fromEntries(Object.entries(found).map(([id, list]) => [id, list.length])),
    examples: Object.values(found).flatMap((list) => list.slice(0, 3)),
  };
}

/** @param {ReturnType<typeof summarise>} summary */
export function table(summary) {
  const { startMs } = summary;
  const spreadText = ({ p50, p95, max }) => `p50 ${p50}, p95 ${p95}, max ${max} ms`;
  const lines = [
    [
      'store',
      `${summary.store}, ${summary.lanes} lanes, ${summary.seconds} s${summary.complete ? '' : ', stopped early'}`,
    ],
    ['kills', `${summary.kills} under calls, ${summary.killsDuringStart} during a start`],
    ['acknowledged calls', summary.acknowledged],
    [
      'effects',
      `${summary.effects ?? '?'}, interrupted calls ${summary.interrupted ?? '?'}, approvals used ${summary.approvalsUsed ?? '?'}`,
    ],
    ['rows of the record', summary.rows ?? '?'],
    ['start → createHelve', spreadText(startMs.open)],
    ['start → first answer', spreadText(startMs.firstAnswer)],
    ['processor time of a start', spreadText(startMs.processor)],
    ...Object.entries(summary.problems).map(([id, problems]) => [titles[id], problems]),
  ];
  const width = Math.max(...lines.map(([name]) => String(name).length));
  const body = lines.map(([name, value]) => `  ${String(name).padEnd(width)}  ${value}`);
  return [...body, ...summary.examples.map((example) => `  ! ${example}`), summary.ok ? '  ok' : '  FAILED'].join('\n');
}
