/** Answers as the Messages API gives them: whole, or as a stream of events. */
import type { ServerResponse } from 'node:http';
import type { WireAnswer, WireBlock } from './wire.js';

const stopOf = ({ content }: WireAnswer) => (content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn');

const envelope = (model: string, { id, inputTokens }: WireAnswer) => ({
  id,
  type: 'message',
  role: 'assistant',
  model,
  stop_sequence: null,
  usage: { input_tokens: inputTokens, output_tokens: 0 },
});

export function sendAnswer(response: ServerResponse, answer: WireAnswer, model: string): void {
  const { content, inputTokens, outputTokens } = answer;
  const usage = { input_tokens: inputTokens, output_tokens: outputTokens };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ ...envelope(model, answer), content, stop_reason: stopOf(answer), usage }));
}

export function sendStream(response: ServerResponse, answer: WireAnswer, model: string): void {
  const send = (type: string, facts: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...facts })}\n\n`);
  };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  send('message_start', { message: { ...envelope(model, answer), content: [], stop_reason: null } });
  for (const [index, block] of answer.content.entries()) {
    const [opening, delta] = parts(block);
    send('content_block_start', { index, content_block: opening });
    send('content_block_delta', { index, delta });
    send('content_block_stop', { index });
  }
  const usage = { output_tokens: answer.outputTokens };
  send('message_delta', { delta: { stop_reason: stopOf(answer), stop_sequence: null }, usage });
  send('message_stop', {});
  response.end();
}

function parts(block: WireBlock): readonly [object, object] {
  if (block.type === 'text')
    return [
      { type: 'text', text: '' },
      { type: 'text_delta', text: block.text },
    ];
  const { type, id, name, input } = block;
  return [
    { type, id, name, input: {} },
    { type: 'input_json_delta', partial_json: JSON.stringify(input ?? {}) },
  ];
}
