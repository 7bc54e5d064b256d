/** For the storage tests: real child processes that open a store, write in a loop and are killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { expect } from 'vitest';
import type { Storage } from '../domain/storage.js';
import { compileProgram } from './child-program.js';
import { checkChain, draft, workspace } from './storage-fixtures.js';

/** Prints `open`, then the sequence number of each acknowledged row, until it is killed or has finished its rounds. */
const program = `
import { openStorage } from './storage/index.js';
import { seal } from './audit/index.js';
const [location, id, name, rounds] = process.argv.slice(2);
const storage = await openStorage({ location, seal });
await storage.system.createWorkspace({ id, slug: id, name: id, createdAt: new Date().toISOString() }, []);
process.stdout.write('open\\n');
const actor = { kind: 'agent', id: name, name };
for (let n = 1; n <= Number(rounds); n++) {
  const event = { type: 'execution.started', at: new Date().toISOString(), actor, body: { n } };
  const [outcome] = await storage.commit([{ workspaceId: id, events: [event, event] }]);
  if (outcome !== 'committed') throw new Error(outcome);
  process.stdout.write(n + '\\n');
}
await storage.close();
`;

const compiled = compileProgram(program);

/** Removes the files that the children ran from. */
export const removeChildren = (): Promise<void> => compiled.remove();

interface Writer {
  readonly child: ChildProcess;
  /** The last acknowledged round so far; -1 before it has opened. */
  last(): number;
  readonly ended: Promise<number | null>;
  errors(): string;
}

async function write(location: string, id: string, name: string, rounds: number): Promise<Writer> {
  const cwd = await compiled.folder();
  const child = spawn(process.execPath, ['main.js', location, id, name, String(rounds)], { cwd });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const last = () => {
    // Only whole lines count: the kill may have cut a line to another number.
    const lines = output
      .slice(0, output.lastIndexOf('\n') + 1)
      .trim()
      .split('\n');
    const line = lines.at(-1);
    return line === '' || line === undefined ? -1 : line === 'open' ? 0 : Number(line);
  };
  return { child, last, ended, errors: () => errors };
}

type Open = (location: string) => Promise<Storage>;

/** Four openers in one process, each of which may be the one that migrates. */
export async function openersAtOnce(open: Open, location: string): Promise<void> {
  const opened = await Promise.all(Array.from({ length: 4 }, () => open(location)));
  await Promise.all(opened.map((storage, index) => storage.system.createWorkspace(workspace(`w${index}`), [draft()])));
  for (const storage of opened) {
    expect(await storage.system.listWorkspaces()).toHaveLength(4);
    await storage.close();
  }
}

/** Two processes start on an empty store at the same time, migrate it and write to one chain together. */
export async function processesAtOnce(open: Open, location: string): Promise<void> {
  const writers = await Promise.all(['a', 'b'].map((name) => write(location, 'shared', name, 100)));
  for (const writer of writers) expect([await writer.ended, writer.errors()]).toEqual([0, '']);
  const storage = await open(location);
  expect(await checkChain(storage, 'shared')).toBe(400);
  await storage.close();
}

/** Kills a writer again and again: afterwards every acknowledged round exists, complete, and the chain is intact. */
export async function killAndCheck(open: Open, location: string, kills: number): Promise<void> {
  for (let kill = 0; kill < kills; kill++) {
    const name = `writer${kill}`;
    const writer = await write(location, 'w', name, 1_000_000);
    const wanted = 20 + 10 * kill;
    while (writer.last() < wanted && writer.child.exitCode === null) await new Promise((next) => setTimeout(next, 1));
    writer.child.kill('SIGKILL');
    await writer.ended;
    expect(writer.errors()).toBe('');
    const acknowledged = writer.last();
    expect(acknowledged).toBeGreaterThanOrEqual(wanted);
    const storage = await open(location);
    // PostgreSQL may still be finishing the dead process's last statement.
    await storage.workspace('w').change([], async () => {});
    const [newest] = await storage.workspace('w').audit.search({ actorId: name, limit: 1 });
    expect(newest?.body.n).toBeGreaterThanOrEqual(acknowledged);
    expect((await checkChain(storage, 'w')) % 2).toBe(0);
    await storage.close();
  }
}
