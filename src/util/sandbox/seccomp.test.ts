/** The filter, run by an interpreter of the few instructions that it uses, and its numbers compared with the kernel's headers. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { seccompFilter } from './seccomp.js';
import { absentCalls, examinedCalls, forbiddenCalls } from './syscalls.js';

const native = { x64: 0xc000_003e, arm64: 0xc000_00b7 };
const architectures = ['x64', 'arm64'] as const;
const answers = new Map([
  [0x7fff_0000, 'allowed'],
  [0x8000_0000, 'killed'],
  [0x0005_0001, 'EPERM'],
  [0x0005_0026, 'ENOSYS'],
  [0x0005_0061, 'EAFNOSUPPORT'],
]);

function judge(filter: Buffer, call: number, words: readonly number[] = [], architecture?: number): string | undefined {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call, 0);
  data.writeUInt32LE(architecture ?? native.x64, 4);
  for (const [index, word] of words.entries()) data.writeBigUInt64LE(BigInt(word), 16 + index * 8);
  let loaded = 0;
  for (let at = 0; at < filter.length / 8; at += 1) {
    const code = filter.readUInt16LE(at * 8);
    const value = filter.readUInt32LE(at * 8 + 4);
    if (code === 0x06) return answers.get(value) ?? `unknown answer ${value}`;
    if (code === 0x20) loaded = data.readUInt32LE(value);
    else {
      const tests = { 21: loaded === value, 53: loaded >= value, 69: (loaded & value) !== 0 };
      at += filter.readUInt8(at * 8 + (tests[code as keyof typeof tests] ? 2 : 3));
    }
  }
  return 'ran off the end';
}

describe.each(architectures)('on %s', (architecture) => {
  const filter = seccompFilter(architecture);
  const ask = (call: number, ...words: number[]) => judge(filter, call, words, native[architecture]);

  test('R-shell: every call in the list is refused, and ordinary ones pass', () => {
    const numbers = (rows: typeof forbiddenCalls | typeof absentCalls) =>
      Object.values(rows).flatMap((row) => row[architecture] ?? []);
    for (const call of numbers(forbiddenCalls)) expect(ask(call), String(call)).toBe('EPERM');
    for (const call of numbers(absentCalls)) expect(ask(call), String(call)).toBe('ENOSYS');
    const listed = new Set([...numbers(forbiddenCalls), ...numbers(absentCalls)]);
    const rest = Array.from({ length: 462 }, (_, call) => call).filter((call) => !listed.has(call));
    expect(rest.filter((call) => call !== examinedCalls.socket[architecture] && ask(call) !== 'allowed')).toEqual([]);
  });

  test('R-shell: clone can make processes and threads, but no namespaces', () => {
    const clone = examinedCalls.clone[architecture];
    expect([ask(clone, 17), ask(clone, 0x3d_0f00)]).toEqual(['allowed', 'allowed']);
    for (const flag of [0x2_0000, 0x200_0000, 0x400_0000, 0x800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000])
      expect(ask(clone, flag | 17), flag.toString(16)).toBe('EPERM');
  });

  test('R-shell: input to a terminal is refused, whatever is in the half that the kernel does not read', () => {
    const { ioctl } = examinedCalls;
    expect(ask(ioctl[architecture], 0, 0x5401)).toBe('allowed');
    for (const request of [0x5412, 0x541c, 0x7_0000_5412]) expect(ask(ioctl[architecture], 0, request)).toBe('EPERM');
  });

  test('R-shell: only internet sockets and the routing socket are allowed', () => {
    const socket = examinedCalls.socket[architecture];
    for (const family of [2, 10]) expect(ask(socket, family, 1, 0)).toBe('allowed');
    expect(ask(socket, 16, 3, 0)).toBe('allowed');
    expect(ask(socket, 16, 3, 12)).toBe('EAFNOSUPPORT');
    for (const family of [0, 1, 17, 29, 31, 38, 40, 44]) expect(ask(socket, family, 1, 0)).toBe('EAFNOSUPPORT');
  });

  test('R-shell: a call of another architecture ends the process', () => {
    for (const foreign of [0x4000_0003, native[architecture === 'x64' ? 'arm64' : 'x64'], 0])
      expect(judge(filter, 0, [], foreign)).toBe('killed');
  });
});

test('R-shell: on x86_64 the x32 table is closed', () => {
  const filter = seccompFilter('x64');
  for (const call of [0x4000_0000, 0x4000_0000 + 521, 0xffff_ffff]) expect(judge(filter, call)).toBe('killed');
});

const headers = { x64: '/usr/include/x86_64-linux-gnu/asm/unistd_64.h', arm64: '/usr/include/asm-generic/unistd.h' };

test.for(architectures)('R-shell: the numbers for %s are those of the kernel headers', (architecture, context) => {
  const file = headers[architecture];
  context.skip(!existsSync(file), `needs ${file} of the Debian package linux-libc-dev`);
  const defined = [...readFileSync(file, 'utf8').matchAll(/#define __NR(?:3264)?_(\w+)\s+(\d+)$/gm)];
  const known = new Map(defined.map(([, name, number]) => [name, Number(number)]));
  const rows = Object.entries({ ...forbiddenCalls, ...absentCalls, ...examinedCalls });
  const differing = rows.filter(([name, row]) => known.has(name) && known.get(name) !== row[architecture]);
  expect(differing).toEqual([]);
  expect(rows.filter(([name]) => known.has(name)).length).toBeGreaterThan(60);
});
