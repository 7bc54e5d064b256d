/**
 * The story of an issue of GitHub, again and again, while the server that drives it is killed at random moments.
 * A long run kills 50 times, and prints what was measured.
 */
import { afterAll, afterEach, expect, test } from 'vitest';
import { rounds } from '../../src/testing/rounds.js';
import { killChildren, removeTemporaryFolders } from '../e2e/support/server.js';
import { openStories, type Stories } from './support/stories.js';

const kills = rounds(2, 50);
const isLong = kills >= 20;

let stories: Stories | undefined;
afterEach(async () => {
  await stories?.close();
  killChildren();
});
afterAll(removeTemporaryFolders);

test(
  'R-task-mcp R-machines R-durable-runs: the story of an issue of GitHub ends with one branch, one pull request and one comment that it is done, however often the servers are killed',
  async () => {
    stories = await openStories(2);
    const { crew, findDriver, github, tell } = stories;
    let killed = 0;
    let isOver = false;
    const killing = (async () => {
      for (; killed < kills && !isOver; killed++) await crew.kill(findDriver);
    })();
    let told = 0;
    try {
      while (told === 0 || killed < kills) await tell(++told);
    } finally {
      isOver = true;
      await killing;
    }
    const figures = {
      stories: told,
      kills: killed,
      takeovers: await stories.countTakeovers(),
      effects: github.effects.length,
      longestGapMs: stories.longestGapMs(),
    };
    if (isLong) console.log(JSON.stringify(figures));
    expect(figures.effects).toBe(told * 9);
    // How long the pauses are is measured on a quiet machine.
    if (isLong) expect(figures.longestGapMs).toBeLessThan(30_000);
    // Kills that hit runs that had begun.
    if (isLong) expect(figures.takeovers).toBeGreaterThan(0);
  },
  Math.max(120_000, kills * 30_000),
);

test('R-durable-runs: a pull request whose process is killed before its answer comes is made once, and twice if GitHub does not show what it has', async () => {
  stories = await openStories(1);
  const { crew, github, disconnectLinear, made, tellFirstAttempt } = stories;
  for (const [issue, pulls] of [
    [1, 1],
    [2, 2],
  ] as const) {
    github.forgets = pulls > 1;
    let isHeld = false;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    github.holds = async ({ method, url }) => {
      if (isHeld || method !== 'POST' || !url.endsWith('/pulls')) return;
      isHeld = true;
      await held;
    };
    const before = github.pulls.length;
    const telling = tellFirstAttempt(issue);
    await expect.poll(() => isHeld, { timeout: 60_000 }).toBe(true);
    await crew.kill();
    release();
    await telling;
    expect(made(issue).filter((one) => one.startsWith('branch'))).toHaveLength(1);
    expect(github.pulls.length - before).toBe(pulls);
    await disconnectLinear();
  }
}, 120_000);
