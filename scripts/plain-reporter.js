// The last lines of a test run in plain words, for people and for programs that read the output of CI: the skipped tests, those
// that passed only when they were tried again, then the counts.
import { relative } from 'node:path';

/** This many files are named; the others are only counted. */
const mostFiles = 40;

export default class PlainReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    const skipped = new Map();
    const triedAgain = [];
    for (const module of modules) {
      let any = false;
      for (const test of module.children.allTests()) {
        any = true;
        const { state, note } = test.result();
        if (state in counts) counts[state] += 1;
        if (test.diagnostic()?.flaky) triedAgain.push(`  ${relative(process.cwd(), module.moduleId)}: ${test.name}`);
        if (state !== 'skipped') continue;
        const where = `${relative(process.cwd(), module.moduleId)}${reasonOf(test, note)}`;
        skipped.set(where, (skipped.get(where) ?? 0) + 1);
      }
      // A file that could not even be loaded has no tests to fail.
      if (!any && module.state() === 'failed') counts.failed += 1;
    }
    counts.failed += unhandledErrors.length;
    process.on('exit', () => {
      for (const line of linesOf(skipped)) console.log(line);
      if (triedAgain.length > 0) console.log(['Passed only at the second attempt:', ...triedAgain].join('\n'));
      console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
    });
  }
}

/** The reason that the test gave, or the text in brackets at the end of its title or of its group's title. */
function reasonOf(test, note) {
  if (note) return `: ${note}`;
  for (let at = test; at?.name !== undefined; at = at.parent) {
    const found = /\((?:skipped:? )?([^()]*(?:\([^()]*\)[^()]*)*)\)$/.exec(at.name)?.[1];
    // Other brackets belong to the test case.
    if (found !== undefined && /\b(?:skipped|absent|needs|not|no|without)\b/.test(at.name)) return `: ${found}`;
  }
  return '';
}

function linesOf(skipped) {
  if (skipped.size === 0) return [];
  const sorted = [...skipped].sort(([a], [b]) => a.localeCompare(b));
  const lines = sorted.slice(0, mostFiles).map(([where, count]) => `  ${count} in ${where}`);
  if (sorted.length > mostFiles) lines.push(`  and in ${sorted.length - mostFiles} more places`);
  return ['Skipped, which is not passed:', ...lines];
}
