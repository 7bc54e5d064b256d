// A plain reverse proxy in its own process: `node proxy.js <port of the server>`; prints its own port.
import { createServer, request as send } from 'node:http';

const target = Number(process.argv[2]);
const server = createServer((incoming, outgoing) => {
  const headers = { ...incoming.headers, 'x-forwarded-for': incoming.headers['x-client'] ?? '192.0.2.1' };
  const onward = send({ host: '127.0.0.1', port: target, path: incoming.url, method: incoming.method, headers });
  onward.on('response', (answer) => {
    outgoing.writeHead(answer.statusCode, answer.headers);
    answer.pipe(outgoing);
  });
  onward.on('error', () => outgoing.destroy());
  outgoing.on('close', () => onward.destroy());
  incoming.pipe(onward);
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
