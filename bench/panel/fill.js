// A long record for the benches of the panel: calls as the pipeline would have recorded them.
import { timeOf } from '../support/blocked.js';

/** One call per second: 200 tools, 50 agents, 12 accounts; one in ten is refused, one in twelve fails. */
export async function fillRecord({ storage, workspaceId, calls }) {
  const perCommit = 2_000;
  for (let start = 0; start < calls; start += perCommit) {
    const events = Array.from({ length: Math.min(perCommit, calls - start) }, (_, at) => rowsOf(start + at)).flat();
    await storage.commit([{ workspaceId, events }]);
  }
}

function rowsOf(n) {
  const tool = `App${n % 20}.tool_${(n * 7) % 200}`;
  const actor = { kind: 'agent', id: `agent-${(n * 7_919) % 50}`, name: `Agent ${(n * 7_919) % 50}` };
  const common = { at: timeOf(n), actor, executionId: crypto.randomUUID(), tool };
  const input = { to: 'somebody@example.com', subject: `Message ${n}`, text: 'x'.repeat(300) };
  const facts = { connectionId: `account-${n % 12}`, risk: n % 3 ? 'read' : 'write', door: n % 4 ? 'mcp' : 'api' };
  const asked = { input, inputHash: 'a'.repeat(64), ...facts };
  if (n % 10 === 0)
    return [
      {
        ...common,
        type: 'execution.refused',
        body: { ...asked, rule: 'grant.missing', error: { code: 'not_granted' } },
      },
    ];
  const failed = n % 12 === 1;
  const outcome = failed ? { error: { code: 'upstream_failed', message: 'It broke' } } : { output: 'y'.repeat(400) };
  return [
    { ...common, type: 'execution.started', body: { ...asked, rule: `grant:${actor.id}` } },
    {
      ...common,
      type: 'execution.finished',
      body: { status: failed ? 'failed' : 'ok', durationMs: (n * 31) % 2_000, characters: 400, ...outcome, ...facts },
    },
  ];
}
