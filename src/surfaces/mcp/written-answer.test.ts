/** An answer whose structured content is written already is the same message as one that is written as a whole. */
import type { AuthInfo, JSONRPCMessage, ServerContext } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { noteStructured, placeForText, writeMessage } from './written-answer.js';

const request = (): AuthInfo => ({ token: '', clientId: '', scopes: [], extra: placeForText() });
const note = (authInfo: AuthInfo, json: string): void =>
  noteStructured({ http: { authInfo } } as unknown as ServerContext, json);
const answer = (id: string | number, result: object) => ({ result, jsonrpc: '2.0', id }) as unknown as JSONRPCMessage;

test('R-mcp-server: the message is the same with the text that is known', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.integer()),
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.string(),
      (id, structuredContent, text) => {
        const authInfo = request();
        note(authInfo, JSON.stringify(structuredContent));
        const message = answer(id, { content: [{ type: 'text', text }], structuredContent, _meta: { a: 1 } });
        expect(JSON.parse(writeMessage(message, authInfo))).toEqual(JSON.parse(JSON.stringify(message)));
      },
    ),
  );
});

test.each(['"structuredContent":0', '$&', "$'", '"}'])('%s in an id or in the content is not replaced', (hostile) => {
  const authInfo = request();
  const structuredContent = { hostile };
  note(authInfo, JSON.stringify(structuredContent));
  const message = answer(hostile, {
    content: [{ type: 'text', text: hostile }],
    structuredContent,
    [hostile]: hostile,
  });
  expect(JSON.parse(writeMessage(message, authInfo))).toEqual(message);
});

test('the text of one request is not that of another, and an error or an answer without structured content has none', () => {
  const [one, other] = [request(), request()];
  note(one, '{"whose":"one"}');
  const structured = answer(1, { content: [], structuredContent: { whose: 'other' } });
  expect(JSON.parse(writeMessage(structured, other))).toEqual(structured);
  expect(JSON.parse(writeMessage(structured, undefined))).toEqual(structured);
  expect(writeMessage(structured, one)).toContain('"one"');
  const plain = answer(1, { content: [] });
  expect(JSON.parse(writeMessage(plain, one))).toEqual(plain);
  const error = { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no' } } as const;
  expect(JSON.parse(writeMessage(error, one))).toEqual(error);
});
