// Checks what happened, prints it, and ends the process with 1 if anything is not as expected.
import assert from 'node:assert/strict';
import { agent } from './plane.js';

/** The parts of a request that each API names differently, by API. */
const shapes = {
  chat: { of: (tool) => tool.function, schema: 'parameters' },
  responses: { of: (tool) => tool, schema: 'parameters' },
  anthropic: { of: (tool) => tool, schema: 'input_schema' },
  mcp: { of: (tool) => tool, schema: 'inputSchema' },
};

/**
 * `sentTools` of the first request, `told` after the wrong call (any JSON), `text`: the final answer.
 * `recordsRefusal`: whether the plane saw the wrong call; the AI SDK refuses it before.
 */
export async function check(helve, { api, sentTools, told, text, recordsRefusal = true }) {
  const { of, schema } = shapes[api];
  for (const { name, tool } of await helve.tools({ principal: agent })) {
    const sent = sentTools.map(of).find((one) => one.name === name);
    assert.equal(JSON.stringify(sent[schema]), JSON.stringify(tool.inputSchema), `${name} was sent changed`);
  }
  console.log(`sent      ${sentTools.length} tools, each with its own schema byte for byte`);

  const problem = /\/expression must be string/.exec(JSON.stringify(told));
  assert.ok(problem, `the model was not told what is wrong: ${JSON.stringify(told)}`);
  console.log(`refused   expression: 42, before it ran: “${problem[0]}”`);

  const record = (await helve.plane.executions(await admin(helve), { limit: 10 })).reverse();
  const seen = record.map(({ tool, status }) => `${tool} ${status}`);
  const expected = ['Math.calculate ok', 'Key_Value.keyValueSet ok'];
  assert.deepEqual(seen, recordsRefusal ? ['Math.calculate refused', ...expected] : expected);
  assert.ok(!JSON.stringify(record).includes('thread-1'), 'an injected key reached a tool');
  console.log(`recorded  ${seen.join(', ')}; no injected key among the arguments`);

  const kept = await helve.execute({ principal: agent, tool: 'key_value_get', input: { key: 'answer' } });
  assert.equal(kept.output.value, 42);
  assert.equal(text, 'The answer is 42, and I have kept it.');
  console.log(`answered  ${text}`);
}

async function admin(helve) {
  const { workspaceId } = await helve.ensureWorkspace('default');
  return (await helve.plane.redeemAdminLink(await helve.adminLink(workspaceId))).principal;
}
