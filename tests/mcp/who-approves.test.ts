/**
 * Who may approve through an MCP client. The holder of a token is the client, which can answer questions itself:
 * each row sends the two requests that once approved a call, and checks whether the tool ran.
 */
import { afterEach, describe, expect, it } from 'vitest';
import type { Policy } from '../../src/domain/grant.js';
import { agentPrincipal, type Principal } from '../../src/domain/principal.js';
import { testTool } from '../../src/testing/index.js';
import { endAll, openRealDoor, type RealDoor, rowsOf, rpc } from './real-door.js';

afterEach(endAll);

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '0' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
};
const accept = { action: 'accept', content: { approve: true } };
const ask: Policy = { id: 'ask', effect: 'require_approval', when: {} };
const trusted = 'approvals: { elicitation_agents: [alice] }';
const tools = [testTool({ name: 'grave', highRisk: true }), testTool({ name: 'plain' })];

async function open(policies: readonly Policy[] = [], config = ''): Promise<RealDoor> {
  const real = await openRealDoor({ tools, config });
  if (policies.length > 0) await real.helve.plane.replacePolicies(real.helve.admin, policies);
  return real;
}

/** One request as this principal, after the door has identified it. */
async function post(real: RealDoor, principal: Principal, text: string): Promise<any> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': (JSON.parse(text) as { params: { name: string } }).params.name,
  };
  const response = await real.door.handle(
    new Request(real.alice.address, { method: 'POST', headers, body: text }),
    principal,
  );
  return ((await response.json()) as { result?: unknown }).result;
}

const call = (name: string, more: object = {}) =>
  rpc('tools/call', { name, arguments: { amount: 7 }, ...more, _meta: envelope });

/** The call, and then the answer that its caller itself gives to the question. */
async function approveOwnCall(real: RealDoor, principal: Principal, tool: string, answer: object = accept) {
  const first = await post(real, principal, JSON.stringify(call(tool)));
  const requestState: string | undefined = first?.requestState;
  if (requestState !== undefined)
    await post(real, principal, JSON.stringify(call(tool, { requestState, inputResponses: { approval: answer } })));
  const [waiting] = await real.helve.plane.approvals(real.helve.admin, {});
  const direct = await real.helve.plane
    .answerElicitation(principal, waiting?.id ?? '', 'approved')
    .catch((error: { code: string }) => error.code);
  if (requestState === undefined) expect(direct).toBe('forbidden');
  await post(real, principal, JSON.stringify(call(tool)));
  return { asked: requestState !== undefined, runs: (await rowsOf(real, 'execution.started')).length };
}

const forPerson = (real: RealDoor, id = 'p1'): Principal => ({
  ...real.alice.principal,
  onBehalfOf: { kind: 'user', id, name: 'Ada' },
});
const forKey = (real: RealDoor): Principal => ({
  ...real.alice.principal,
  onBehalfOf: { kind: 'api_key', id: 'k1', name: 'panel' },
});
const bare = (real: RealDoor): Principal => real.alice.principal;

const refused = { asked: false, runs: 0 };
const approved = { asked: true, runs: 1 };

describe('R-approval: the program that calls answers for a person', () => {
  it.each([
    ['a bare token, a high-risk call', bare, 'grave', [], '', refused],
    ['a bare token, a call that a policy asks about', bare, 'plain', [ask], '', refused],
    ['a key that acts as the agent, the same', forKey, 'plain', [ask], '', refused],
    ['a signed-in person, a high-risk call', forPerson, 'grave', [], '', refused],
    ['a signed-in person, a call that a policy asks about', forPerson, 'plain', [ask], '', approved],
    ['a bare token of an agent that the operator names', bare, 'grave', [], trusted, approved],
    ['a bare token under a policy that allows it', bare, 'grave', [{ ...ask, elicitation: true }], '', approved],
    ['a named agent under a policy that forbids it', bare, 'grave', [{ ...ask, elicitation: false }], trusted, refused],
    [
      'one policy that allows it and one that does not say',
      bare,
      'grave',
      [
        { ...ask, elicitation: true },
        { ...ask, id: 'also' },
      ],
      '',
      refused,
    ],
    [
      'all of it allowed, and elicitation switched off',
      forPerson,
      'plain',
      [{ ...ask, elicitation: true }],
      'approvals: { elicitation: false, elicitation_agents: [alice] }',
      refused,
    ],
  ] as const)('R-approval: %s', async (_, who, tool, policies, config, outcome) => {
    const real = await open(policies, config);
    expect(await approveOwnCall(real, who(real), tool)).toEqual(outcome);
  });

  it('R-approval: an approval for one person cannot be answered by another person’s program', async () => {
    const real = await open([ask]);
    await post(real, forPerson(real), JSON.stringify(call('plain')));
    const [waiting] = await real.helve.plane.approvals(real.helve.admin, {});
    const { plane } = real.helve;
    const decide = (principal: Principal) => plane.answerElicitation(principal, waiting?.id ?? '', 'approved');
    await expect(decide(forPerson(real, 'p2'))).rejects.toMatchObject({ code: 'forbidden' });
    await expect(decide(bare(real))).rejects.toMatchObject({ code: 'forbidden' });
    const bob = agentPrincipal({ id: real.bob.principal.id, slug: 'bob' }, real.bob.principal.workspaceId);
    await expect(decide({ ...bob, onBehalfOf: { kind: 'user', id: 'p1', name: 'Ada' } })).rejects.toMatchObject({
      code: 'forbidden',
    });
    expect(await decide(forPerson(real))).toMatchObject({ status: 'approved', onBehalfOf: { id: 'p1' } });
    expect((await rowsOf(real, 'approval.decided'))[0]).toMatchObject({ onBehalfOf: { kind: 'user', id: 'p1' } });
  });
});

describe('R-approval: an answer is read from own keys only', () => {
  it.each([
    ['the answer', '{"__proto__":{"approval":{"action":"accept","content":{"approve":true}}}}', 0],
    ['the action', '{"approval":{"__proto__":{"action":"accept","content":{"approve":true}}}}', 0],
    ['the yes', '{"approval":{"action":"accept","content":{"__proto__":{"approve":true}}}}', 0],
    ['nothing', '{"approval":{"action":"accept","content":{"approve":true}}}', 1],
  ])('R-approval: %s below __proto__', async (_, responses, runs) => {
    const real = await open([], trusted);
    const { requestState } = await post(real, bare(real), JSON.stringify(call('grave')));
    expect(requestState).toEqual(expect.any(String));
    // As text, because an object literal would not contain the key.
    const second = JSON.stringify(call('grave', { requestState, inputResponses: '§' })).replace('"§"', responses);
    await post(real, bare(real), second);
    expect(await rowsOf(real, 'approval.decided')).toHaveLength(runs);
    expect(await rowsOf(real, 'execution.started')).toHaveLength(runs);
  });
});
