// Requests through the proxy, as the measured clients and the crowd send them.
import { Agent, request } from 'node:http';

const keepAlive = new Agent({ keepAlive: true });

export const closeConnections = () => keepAlive.destroy();

/** One request: its status, headers and body. */
export function ask(port, { method = 'GET', path, headers = {}, body }) {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: keepAlive }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
    });
    sent.once('error', reject).end(body);
  });
}

/** The request that calls a tool. */
export const toolCall = (host, token, tool, input) => ({
  method: 'POST',
  path: '/api/tools/execute',
  headers: { host, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  body: JSON.stringify({ tool, input }),
});
