/** One address for several processes, among which calls are balanced, as in an installation of several processes. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Balancer {
  readonly address: string;
  /** Where a process listens. */
  add(port: number): void;
  remove(port: number): void;
  close(): Promise<void>;
}

/** Hands each connection to one of the processes in turn; one that does not answer is passed over. */
export async function startBalancer(): Promise<Balancer> {
  const ports: number[] = [];
  const sockets = new Set<Socket>();
  let turn = 0;
  const join = (from: Socket, left: number): void => {
    const port = ports[turn++ % Math.max(1, ports.length)];
    if (port === undefined || left === 0) return void from.destroy();
    const to = connect(port, '127.0.0.1');
    sockets.add(to);
    let isOpen = false;
    to.once('connect', () => {
      isOpen = true;
      from.pipe(to);
      to.pipe(from);
    });
    to.on('error', () => (isOpen ? from.destroy() : join(from, left - 1)));
    to.once('close', () => {
      sockets.delete(to);
      if (isOpen) from.destroy();
    });
    from.once('close', () => to.destroy());
  };
  const server = createServer((from) => {
    sockets.add(from);
    from.on('error', () => undefined);
    from.once('close', () => sockets.delete(from));
    join(from, ports.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    add: (one) => void ports.push(one),
    remove(one) {
      const index = ports.indexOf(one);
      if (index >= 0) ports.splice(index, 1);
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
