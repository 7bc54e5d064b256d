// A scripted model behind the real APIs of OpenAI and Anthropic, and a `fetch` that
// records what an SDK sent to it. It replaces a model and its key in these examples; everything else is real.
import { LLMock } from '@copilotkit/aimock';

export async function startScriptedModel(turns) {
  const server = new LLMock({ port: 0, host: '127.0.0.1', strict: true });
  let answered = 0;
  for (const turn of turns) {
    const expected = answered;
    const calls = turn.calls ?? [];
    server.on(
      { predicate: ({ messages }) => messages.filter(({ role }) => role === 'tool').length === expected },
      turn.text === undefined
        ? { toolCalls: calls.map((call, index) => ({ id: `call_${expected}_${index}`, ...call })) }
        : { content: turn.text },
    );
    answered += calls.length;
  }
  await server.start();
  const requests = [];
  return {
    url: server.url,
    requests,
    async fetch(input, init) {
      const text = init?.body === undefined ? await new Request(input).text() : String(init.body);
      requests.push(JSON.parse(text));
      return fetch(input, init);
    },
    stop: () => server.stop(),
  };
}
