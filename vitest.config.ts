import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
    reporters: ['default', './scripts/plain-reporter.js'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // `expect.poll` waits for something to happen: how long that takes is the machine's business.
    expect: { poll: { timeout: 20_000 } },
    // Workers start servers and child processes of their own: more than the cores only slows all of them down.
    maxWorkers: 2,
  },
});
