/**
 * The filter that the kernel runs before each system call of a command: a classic BPF program, written here as bytes,
 * because bubblewrap expects bytes and a compiler would be one more thing to install.
 */
import { absentCalls, examinedCalls, forbiddenCalls, type SyscallRow } from './syscalls.js';

export type FilterArchitecture = 'x64' | 'arm64';

const auditArchitecture = { x64: 0xc000_003e, arm64: 0xc000_00b7 } as const;

/** Offsets in `struct seccomp_data`. For each argument, the low half: the kernel reads only that half of these. */
const offset = { call: 0, architecture: 4, first: 16, second: 24, third: 32 } as const;

const opcode = { load: 0x20, equal: 0x15, atLeast: 0x35, anyBit: 0x45, answer: 0x06 } as const;

const allow = 0x7fff_0000;
const kill = 0x8000_0000;
const failWith = (number: number): number => 0x0005_0000 | number;
const operationNotPermitted = failWith(1);
const noSuchCall = failWith(38);
const noSuchFamily = failWith(97);

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const newNamespaces = 0x7e02_0000;
/** Input to the terminal, and paste into the console. */
const terminalInjections = [0x5412, 0x541c];
/** From this number on, x86_64 uses the x32 ABI, which has its own table. */
const x32 = 0x4000_0000;
const internetFamilies = [2, 10];
const netlinkFamily = 16;

interface Instruction {
  readonly code: number;
  readonly whenTrue: number;
  readonly whenFalse: number;
  readonly value: number;
}

const load = (value: number): Instruction => ({ code: opcode.load, whenTrue: 0, whenFalse: 0, value });
const answer = (value: number): Instruction => ({ code: opcode.answer, whenTrue: 0, whenFalse: 0, value });
/** The block runs if the test is true; otherwise it is skipped. */
const when = (code: number, value: number, block: readonly Instruction[]): Instruction[] => [
  { code, whenTrue: 0, whenFalse: block.length, value },
  ...block,
];
const whenEqual = (value: number, block: readonly Instruction[]) => when(opcode.equal, value, block);

export function seccompFilter(architecture: FilterArchitecture): Buffer {
  const number = (row: { readonly x64: number; readonly arm64: number }) => row[architecture];
  const refuse = (rows: Readonly<Record<string, SyscallRow>>, result: number): Instruction[] =>
    Object.values(rows).flatMap(({ [architecture]: number }) =>
      number === null ? [] : whenEqual(number, [answer(result)]),
    );
  return assemble([
    load(offset.architecture),
    { code: opcode.equal, whenTrue: 1, whenFalse: 0, value: auditArchitecture[architecture] },
    answer(kill),
    load(offset.call),
    ...(architecture === 'x64' ? when(opcode.atLeast, x32, [answer(kill)]) : []),
    ...whenEqual(number(examinedCalls.clone), [
      load(offset.first),
      ...when(opcode.anyBit, newNamespaces, [answer(operationNotPermitted)]),
      answer(allow),
    ]),
    ...whenEqual(number(examinedCalls.ioctl), [
      load(offset.second),
      ...terminalInjections.flatMap((request) => whenEqual(request, [answer(operationNotPermitted)])),
      answer(allow),
    ]),
    ...whenEqual(number(examinedCalls.socket), socketRules()),
    ...refuse(forbiddenCalls, operationNotPermitted),
    ...refuse(absentCalls, noSuchCall),
    answer(allow),
  ]);
}

/**
 * Internet sockets, and the routing socket that a name lookup uses. No Unix sockets: a process can connect to one in a folder
 * that is mounted read-only, and to one without a path in a shared network. `socketpair` is a different call.
 */
function socketRules(): Instruction[] {
  return [
    load(offset.first),
    ...internetFamilies.flatMap((family) => whenEqual(family, [answer(allow)])),
    ...whenEqual(netlinkFamily, [load(offset.third), ...whenEqual(0, [answer(allow)])]),
    answer(noSuchFamily),
  ];
}

function assemble(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, { code, whenTrue, whenFalse, value }] of program.entries()) {
    const at = index * 8;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(whenTrue, at + 2);
    bytes.writeUInt8(whenFalse, at + 3);
    bytes.writeUInt32LE(value >>> 0, at + 4);
  }
  return bytes;
}
