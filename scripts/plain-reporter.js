// The last line of a test run in plain words, for people and for whatever reads CI.
export default class PlainReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      let any = false;
      for (const test of module.children.allTests()) {
        any = true;
        const state = test.result().state;
        if (state in counts) counts[state] += 1;
      }
      // A file that could not even be loaded has no tests to fail.
      if (!any && module.state() === 'failed') counts.failed += 1;
    }
    counts.failed += unhandledErrors.length;
    process.on('exit', () => {
      console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
    });
  }
}
