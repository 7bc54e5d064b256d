/** A worker that does what its message says, to test its confinement. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { HelveError } from '../../../domain/errors.js';

const id = Math.random();
let kept = 0;

export function keep(): { kept: number; id: number } {
  kept += 1;
  return { kept, id };
}

export function spin(): never {
  for (;;);
}

export function fill(): never {
  const all: unknown[] = [];
  for (;;) all.push(new Array(1_000).fill(all.length));
}

/** Allocates exactly two gigabytes outside the JavaScript heap; in a process without a limit, it returns. */
export function fillBuffers(): number {
  const all: Buffer[] = [];
  while (all.length < 2_048) all.push(Buffer.alloc(1_048_576, 1));
  return all.length;
}

export function allocate({ size }: { readonly size: number }): number {
  return new Array(size).fill(0.5).length;
}

export function fail(): never {
  throw new Error('on purpose');
}

export function refuse(): never {
  throw new HelveError('conflict', 'refused', { hint: 'Ask for something else.', cause: new Error('on purpose') });
}

export function read({ path }: { readonly path: string }): string {
  return readFileSync(path, 'utf8');
}

export function write({ path }: { readonly path: string }): string {
  writeFileSync(path, 'written');
  return 'written';
}

export function list({ path }: { readonly path: string }): string[] {
  return readdirSync(path);
}

export function start({ path }: { readonly path: string }): string {
  return String(execFileSync(path, ['started']));
}

export function loadNative({ path }: { readonly path: string }): number {
  return Object.keys(createRequire(import.meta.url)(path) as object).length;
}

export function connectTo({ port }: { readonly port: number }): Promise<string> {
  return new Promise((resolve, reject) => {
    connect(port, '127.0.0.1')
      .once('connect', () => resolve('connected'))
      .once('error', reject);
  });
}

export function environment(): string[] {
  return [JSON.stringify(process.env), typeof fetch, typeof WebSocket];
}

export function countProcesses(): number {
  return readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).length;
}

export function nest(): number {
  const deeper = (depth: number): number => deeper(depth + 1) + 1;
  return deeper(0);
}

export function leave(): never {
  process.exit(0);
}
