/**
 * A real Restate server for tests, from its npm package, on free ports of 127.0.0.1; and one address for several processes, among
 * which calls are balanced, as in an installation of several processes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.js';

export interface TestRestate {
  readonly ingress: readonly string[];
  readonly admin: readonly string[];
  /** Ends the server as a crash does. */
  pause(): Promise<void>;
  /** Starts it again on what it had stored. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}

export async function startRestate(): Promise<TestRestate> {
  const folder = await mkdtemp(join(tmpdir(), 'helve-restate-'));
  const [ingress, admin, fabric] = [await freePort(), await freePort(), await freePort()];
  const file = join(folder, 'restate.toml');
  await writeFile(
    file,
    `cluster-name = "test"
node-name = "one"
base-dir = ${JSON.stringify(join(folder, 'data'))}
listen-mode = "tcp"
bind-address = "127.0.0.1:${fabric}"
advertised-address = "http://127.0.0.1:${fabric}"
default-num-partitions = 4
rocksdb-total-memory-size = "128.0 MiB"
disable-telemetry = true
shutdown-timeout = "1s"
[ingress]
bind-address = "127.0.0.1:${ingress}"
[admin]
bind-address = "127.0.0.1:${admin}"
disable-web-ui = true
`,
  );
  const native = `@restatedev/restate-server-${process.platform}-${process.arch}`;
  const binary = createRequire(import.meta.url).resolve(`${native}/bin/restate-server`);
  let server: ChildProcess;

  async function begin(): Promise<void> {
    let log = '';
    server = spawn(binary, ['--config-file', file, '--no-logo'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    const keep = (chunk: unknown): void => {
      log = (log + String(chunk)).slice(-4_000);
    };
    server.stdout?.on('data', keep);
    server.stderr?.on('data', keep);
    for (let attempt = 0; attempt < 300; attempt++) {
      const answers = await Promise.all([`${ingress}/restate/health`, `${admin}/health`].map(isUp));
      if (answers.every((isGood) => isGood)) return;
      if (server.exitCode !== null) break;
      await sleep(100);
    }
    throw new Error(`Restate did not start: ${log}`);
  }

  const end = (): Promise<unknown> => {
    const closed = new Promise((resolve) => server.once('close', resolve));
    server.kill('SIGKILL');
    return closed;
  };
  const kill = (): void => void server.kill('SIGKILL');
  process.once('exit', kill);
  await begin();
  return {
    ingress: [`http://127.0.0.1:${ingress}`],
    admin: [`http://127.0.0.1:${admin}`],
    async pause() {
      await end();
    },
    resume: begin,
    async stop() {
      process.off('exit', kill);
      await end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function isUp(address: string): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${address}`)).ok;
  } catch {
    return false;
  }
}

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
