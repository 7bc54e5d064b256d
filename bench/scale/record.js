// How long callers wait to search and verify a long record, and how long all others in the process wait meanwhile. node
// bench/scale/record.js [rows] `blocked` is the longest time that the event loop was blocked. The control is a search
// without blocks: one scan of the table.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { measure, timeOf } from '../support/blocked.js';

const root = new URL(process.env.HELVE_DIST ?? '../../dist/', import.meta.url);
const [rows = 1_000_000] = process.argv.slice(2).map(Number);
const { openStorage } = await import(new URL('storage/index.js', root));
const { seal, verifyChain } = await import(new URL('audit/index.js', root));

const folder = mkdtempSync(join(tmpdir(), 'helve-record-'));
const location = join(folder, 'helve.db');
const storage = await openStorage({ location, seal });
try {
  const workspaceId = 'w';
  await storage.system.createWorkspace({ id: workspaceId, slug: 'w', name: 'W', createdAt: timeOf(0) }, []);
  await fill(workspaceId);
  const { audit } = storage.workspace(workspaceId);
  const first = await measure(() => audit.search({ tool: 'none.at_all' }), 1);
  console.log(`first search, which builds the index: ${first}`);
  const searches = {
    'no such tool': [{ tool: 'none.at_all' }, "tool = 'none.at_all'"],
    'a tool of 200': [{ tool: 'app.tool_7' }, "tool = 'app.tool_7'"],
    'no such actor': [{ actorId: 'nobody' }, "actor_id = 'nobody'"],
    'a tool and an actor that seldom meet': [
      { tool: 'app.tool_7', actorId: 'agent-77' },
      "tool = 'app.tool_7' and actor_id = 'agent-77'",
    ],
    'two types that never came': [
      { types: ['grant.created', 'policy.created'] },
      "type in ('grant.created', 'policy.created')",
    ],
    'an hour long ago': [
      { since: timeOf(3_600), until: timeOf(7_200) },
      `at >= '${timeOf(3_600)}' and at <= '${timeOf(7_200)}'`,
    ],
    'text in one old row': [{ text: 'the needle of row 1234' }, "instr(body, 'the needle of row 1234') > 0"],
    'text in no row': [{ text: 'nothing like this' }, "instr(body, 'nothing like this') > 0"],
    'text of three letters, in no row': [{ text: 'qqq' }, "instr(body, 'qqq') > 0"],
  };
  const database = new Database(location, { readonly: true });
  for (const [name, [query, where]] of Object.entries(searches)) {
    const scan = database.prepare(
      `select * from audit_events where workspace_id = 'w' and ${where} order by seq desc limit 50`,
    );
    console.log(
      `${name}: ${await measure(() => audit.search(query), 7)}; one scan ${await measure(() => scan.all(), 3)}`,
    );
  }
  database.close();
  console.log(`verify: ${await measure(() => verifyChain(audit), 1)}`);
} finally {
  await storage.close();
  rmSync(folder, { recursive: true, force: true });
}

async function fill(workspaceId) {
  const perCommit = 4_000;
  for (let start = 0; start < rows; start += perCommit) {
    const events = Array.from({ length: perCommit }, (_, at) => {
      const n = start + at;
      const note = n === 1_234 ? 'the needle of row 1234' : `message ${n} to ${crypto.randomUUID()}`;
      return {
        type: n % 2 ? 'execution.finished' : 'execution.started',
        at: timeOf(n / 2),
        executionId: `execution-${n >> 1}`,
        tool: `app.tool_${(n >> 1) % 200}`,
        actor: { kind: 'agent', id: `agent-${((n >> 1) * 7_919) % 1_000}`, name: 'An agent' },
        body: { arguments: { to: 'somebody@example.com', note, id: crypto.randomUUID() }, durationMs: n % 97 },
      };
    });
    await storage.commit([{ workspaceId, events }]);
  }
}
