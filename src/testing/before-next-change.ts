/** For tests: what somebody else does between the reading of a configuration and its change. */
import type { TestHelve } from './test-helve.js';

type Change = ReturnType<TestHelve['storage']['workspace']>['change'];

/** Runs `meanwhile` once, just before the next change of a configuration is written. It gets the change of the store itself. */
export function beforeNextChange({ storage }: TestHelve, meanwhile: (change: Change) => Promise<unknown>): void {
  const patched = storage as { workspace: TestHelve['storage']['workspace'] };
  const { workspace } = patched;
  patched.workspace = (id) => {
    const found = workspace(id);
    const change: Change = async (...given) => {
      patched.workspace = workspace;
      await meanwhile(found.change);
      return found.change(...given);
    };
    return { ...found, change };
  };
}
