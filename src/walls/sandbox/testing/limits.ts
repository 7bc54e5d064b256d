/** For each limit a program that exceeds it, and the same program with a limit that it does not exceed. */
import type { SandboxLimits } from '../index.js';
import { exceeds, type Program } from './under-test.js';

interface Row {
  readonly limit: keyof SandboxLimits;
  readonly code: string;
  readonly low: number;
  readonly high: number;
}

const rows: readonly Row[] = [
  { limit: 'cpuMs', low: 60, high: 20_000, code: 'for (let i = 0; i < 5_000_000; i++);' },
  {
    // Each turn is short; together they are not.
    limit: 'cpuMs',
    low: 60,
    high: 20_000,
    code: 'for (let n = 0; n < 20; n++) { for (let i = 0; i < 400_000; i++); await tools.nothing() }',
  },
  { limit: 'wallMs', low: 150, high: 200_000, code: 'await sleep(400)' },
  { limit: 'wallMs', low: 300, high: 200_000, code: 'await tools.wait({ ms: 700 })' },
  {
    limit: 'memoryMb',
    low: 8,
    high: 64,
    code: 'const a = []; for (let i = 0; i < 200; i++) a.push("x".repeat(1e5) + i)',
  },
  { limit: 'codeBytes', low: 20, high: 100, code: 'return "1234567890123456789012345"' },
  { limit: 'calls', low: 3, high: 4, code: 'for (let i = 0; i < 4; i++) await tools.nothing()' },
  { limit: 'calls', low: 3, high: 4, code: 'for (let i = 0; i < 4; i++) try { await tools.nothing() } catch {}' },
  { limit: 'callsInFlight', low: 3, high: 4, code: 'await Promise.all([1, 2, 3, 4].map(() => tools.nothing()))' },
  { limit: 'argumentBytes', low: 999, high: 1_100, code: 'await tools.echo({ a: "x".repeat(1_000) })' },
  { limit: 'argumentBytes', low: 999, high: 1_100, code: 'await tools.echo({ a: "é".repeat(500) })' },
  { limit: 'resultBytes', low: 999, high: 1_100, code: 'await tools.large({ length: 1_000 })' },
  { limit: 'logBytes', low: 999, high: 1_100, code: 'for (let i = 0; i < 10; i++) console.log("x".repeat(100))' },
  { limit: 'logBytes', low: 999, high: 1_100, code: 'console.log("é".repeat(510))' },
  { limit: 'logBytes', low: 999, high: 1_100, code: 'for (let i = 0; i < 1_000; i++) console.log("")' },
  { limit: 'valueBytes', low: 999, high: 1_100, code: 'return "x".repeat(1_000)' },
  { limit: 'valueBytes', low: 999, high: 1_100, code: 'return "é".repeat(500)' },
  { limit: 'timers', low: 3, high: 4, code: 'await Promise.all([1, 2, 3, 4].map(() => sleep(1)))' },
];

/**
 * Each reaction adds a promise until the memory is full. The error then rejects a promise that nobody handles. The program keeps all
 * promises. If it did not, the first failure could free enough memory for the next promise, and the program would never end.
 */
const fullInReaction =
  'const kept = []; const f = () => { const next = Promise.resolve().then(f); kept.push(next); return next }; f(); await new Promise(() => {})';

export const exceeding: readonly Program[] = [
  ...rows.map(({ limit, low, code }) => ({
    name: `${limit}: ${code}`,
    code,
    limits: { [limit]: low },
    judge: exceeds(limit),
  })),
  {
    name: 'wallMs, in a sleep of a month',
    code: 'await sleep(31 * 86_400_000)',
    limits: { wallMs: 150 },
    judge: exceeds('wallMs'),
  },
  {
    name: 'memoryMb, in a reaction',
    code: fullInReaction,
    limits: { memoryMb: 16, cpuMs: 20_000 },
    judge: exceeds('memoryMb'),
  },
];

export const within: readonly Program[] = rows.map(({ limit, high, code }) => ({
  name: `${limit}: ${code}`,
  code,
  limits: { cpuMs: 20_000, [limit]: high },
  judge: ({ ok }) => (ok ? undefined : 'should end well'),
}));
