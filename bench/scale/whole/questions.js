// The questions by which a small and a large store are compared. Each takes `{ ask, before, times }`: `before` is not
// measured. A list without pages answers with everything; its cost is compared per item (`whole`).
import { root } from './plane.js';

const { createKnownTools } = await import(new URL('surfaces/mcp/known-tools.js', root));
const { listTools } = await import(new URL('surfaces/mcp/list-tools.js', root));
const task = 'send an e-mail to somebody';

/** Questions by name, for a plane with the people who ask them, and a record of at least this many rows. */
export function questionsOf({ helve, admin, agent, rows }) {
  const { plane } = helve;
  const ask = createAsks(helve, agent);
  const mcp = { knownTools: createKnownTools(plane) };
  return {
    '640 calls, 32 at a time': { ask: ask.lanes },
    'a call': { ask: ask.call, times: 50 },
    'a refused call: no such tool': { ask: () => ask.refused('math.unknown'), times: 10 },
    'a refused call: not granted': { ask: () => ask.refused('read_file'), times: 10 },
    'may it call': { ask: () => plane.validateAccess(agent, 'calculate', { expression: '1' }), times: 10 },
    explain: {
      ask: () => plane.explain(admin, { agent: 'first', tool: 'calculate', input: { expression: '1' } }),
      times: 3,
    },
    'tools of an agent': { ask: () => plane.tools(agent, { all: true }), times: 3 },
    'tools of an agent, as shown': { ask: () => plane.tools(agent, {}), times: 3 },
    'tools/list of an agent': { ask: () => listTools(mcp, agent), times: 3 },
    'tools/list of a person, one page': { ask: () => listTools(mcp, admin) },
    'tools of a person': { ask: () => plane.tools(admin, { all: true }), whole: true },
    'search: tools of an agent': { ask: () => plane.searchTools(agent, { query: task }), times: 3 },
    'search: tools of a person': { ask: () => plane.searchTools(admin, { query: task }) },
    'describe a tool': { ask: () => plane.describeTools(agent, ['calculate']), times: 3 },
    'tools of a toolkit': { ask: () => plane.toolSummaries(admin, 'files', {}), times: 3 },
    'tools of a toolkit, for an agent': { ask: () => plane.toolkitTools(agent, 'math'), times: 3 },
    toolkits: { ask: () => plane.toolkits(admin), whole: true },
    ...lists(plane, admin, rows),
    ...afterChanges({ helve, admin, agent, ask }),
  };
}

function createAsks(helve, agent) {
  let number = 0;
  const call = () => {
    number += 1;
    return helve.execute({ principal: agent, tool: 'calculate', input: { expression: `${number} + 1` } });
  };
  return {
    call,
    refused: (tool) => helve.execute({ principal: agent, tool, input: {} }),
    async lanes() {
      for (let at = 0; at < 20; at += 1) await Promise.all(Array.from({ length: 32 }, call));
    },
  };
}

/** What the next request costs after a change, by how the change is made. */
function afterChanges({ helve: { plane }, admin, agent, ask }) {
  let number = 0;
  const changes = {
    'another agent’s grants': () =>
      plane.replaceGrants(
        admin,
        'agent-3',
        number++ % 2 ? [] : [{ toolkit: 'math', tools: ['calculate'], limits: {}, config: {} }],
      ),
    'who sees an account': () =>
      plane.changeConnection(admin, 'connection-30', { visibility: number++ % 2 ? 'workspace' : 'private' }),
    'an account’s name': () => plane.changeConnection(admin, 'connection-30', { name: `Renamed ${number++}` }),
    'a policy': async () => {
      const { policies } = await plane.policies(admin);
      const changed = { id: 'changed', effect: 'deny', when: { tools: ['files.read_file'], agents: ['agent-3'] } };
      const others = policies.filter(({ id }) => id !== 'changed');
      await plane.replacePolicies(admin, number++ % 2 ? others : [...others, changed]);
    },
  };
  const next = {
    call: ask.call,
    list: () => plane.tools(agent, { all: true }),
    search: () => plane.searchTools(agent, { query: task }),
  };
  return Object.fromEntries(
    Object.entries(changes).flatMap(([what, before]) =>
      Object.entries(next).map(([name, asked]) => [`next ${name} after a change of ${what}`, { ask: asked, before }]),
    ),
  );
}

/** The newest rows of the record are those of earlier runs, with whole lists of policies: both stores have the rows before 900. */
function lists(plane, admin, rows) {
  return {
    'page of agents': { ask: () => plane.listAgents(admin, {}) },
    'all agents': { ask: () => plane.agents(admin), whole: true },
    'all accounts': { ask: () => plane.connections(admin), whole: true },
    'one account': { ask: () => plane.connection(admin, 'account-40'), times: 3 },
    'use of an account': { ask: () => plane.connectionUsage(admin, 'account-40') },
    'what could be granted': { ask: () => plane.grantCatalogue(admin, 'first', { isShort: true }), whole: true },
    'tools an agent has in effect': { ask: () => plane.effectiveTools(admin, 'first') },
    'all policies': { ask: () => plane.policies(admin), whole: true },
    'page of calls': { ask: () => plane.listCalls(admin, {}) },
    'calls of an agent': { ask: () => plane.listCalls(admin, { actor: 'agent-3' }) },
    'calls: facets': { ask: () => plane.callFacets(admin, {}) },
    'page of the record': { ask: () => plane.audit(admin, { before: 900 }), times: 3 },
    'search of the record: a tool': { ask: () => plane.audit(admin, { tool: 'app7.tool_7', before: rows }) },
    'search of the record: text': { ask: () => plane.audit(admin, { text: 'nothing like this', before: rows }) },
    'page of apps': { ask: () => plane.marketplace(admin, {}) },
    'search of apps': { ask: () => plane.marketplace(admin, { search: 'mail' }) },
    'page of approvals': { ask: () => plane.approvals(admin, {}), times: 3 },
    credentials: { ask: () => plane.credentials(admin), times: 3 },
  };
}

export const firstQuestions = [
  'a call',
  'a refused call: no such tool',
  'a refused call: not granted',
  'tools of an agent',
  'tools/list of a person, one page',
  'search: tools of an agent',
  'search: tools of a person',
  'page of agents',
  'page of the record',
  'page of calls',
];
