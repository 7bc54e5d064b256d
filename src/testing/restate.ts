/** Real nodes of Restate for tests, from its npm package, on free ports of 127.0.0.1: one alone, or a cluster. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.js';

export interface TestRestate {
  /** One of each for each node. */
  readonly ingress: readonly string[];
  readonly admin: readonly string[];
  /** Ends this node as a crash does. */
  pause(node?: number): Promise<void>;
  /** Starts it again on what it had stored; resolves when it is ready. */
  resume(node?: number): Promise<void>;
  stop(): Promise<void>;
}

/** Each record of a cluster is on two of its nodes, so any one may be gone. */
export async function startRestate(count = 1): Promise<TestRestate> {
  const folder = await mkdtemp(join(tmpdir(), 'helve-restate-'));
  const fabrics = await Promise.all(Array.from({ length: count }, freePort));
  const nodes = await Promise.all(fabrics.map((fabric, index) => createNode({ folder, index, fabric, fabrics })));
  const kill = (): void => {
    for (const node of nodes) node.kill();
  };
  process.once('exit', kill);
  // The first one makes the cluster, which the others join.
  for (const node of nodes) await node.begin();
  return {
    ingress: nodes.map((node) => node.ingress),
    admin: nodes.map((node) => node.admin),
    pause: async (node = 0) => nodes[node]?.end(),
    resume: async (node = 0) => nodes[node]?.begin(),
    async stop() {
      process.off('exit', kill);
      await Promise.all(nodes.map((node) => node.end()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface NodeOptions {
  readonly folder: string;
  readonly index: number;
  readonly fabric: number;
  readonly fabrics: readonly number[];
}

async function createNode({ folder, index, fabric, fabrics }: NodeOptions) {
  const [ingress, admin] = [await freePort(), await freePort()];
  const file = join(folder, `node-${index}.toml`);
  await writeFile(
    file,
    `cluster-name = "test"
node-name = "node-${index}"
base-dir = ${JSON.stringify(join(folder, 'data'))}
listen-mode = "tcp"
bind-address = "127.0.0.1:${fabric}"
advertised-address = "http://127.0.0.1:${fabric}"
auto-provision = ${index === 0}
default-num-partitions = 4
default-replication = ${Math.min(2, fabrics.length)}
rocksdb-total-memory-size = "128.0 MiB"
disable-telemetry = true
shutdown-timeout = "1s"
[metadata-client]
addresses = ${JSON.stringify(fabrics.map((port) => `http://127.0.0.1:${port}`))}
[ingress]
bind-address = "127.0.0.1:${ingress}"
[admin]
bind-address = "127.0.0.1:${admin}"
disable-web-ui = true
`,
  );
  const native = `@restatedev/restate-server-${process.platform}-${process.arch}`;
  const binary = createRequire(import.meta.url).resolve(`${native}/bin/restate-server`);
  let server: ChildProcess | undefined;

  return {
    ingress: `http://127.0.0.1:${ingress}`,
    admin: `http://127.0.0.1:${admin}`,
    async begin(): Promise<void> {
      let log = '';
      const begun = spawn(binary, ['--config-file', file, '--no-logo'], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      server = begun;
      const keep = (chunk: unknown): void => {
        log = (log + String(chunk)).slice(-4_000);
      };
      begun.stdout.on('data', keep);
      begun.stderr.on('data', keep);
      for (let attempt = 0; attempt < 600; attempt++) {
        const answers = await Promise.all([`${ingress}/restate/health`, `${admin}/health`].map(isUp));
        if (answers.every((isGood) => isGood)) return;
        if (begun.exitCode !== null) break;
        await sleep(100);
      }
      throw new Error(`Restate did not start: ${log}`);
    },
    kill: (): void => void server?.kill('SIGKILL'),
    async end(): Promise<void> {
      if (!server || server.exitCode !== null || server.signalCode !== null) return;
      const closed = new Promise((resolve) => server?.once('close', resolve));
      server.kill('SIGKILL');
      await closed;
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
