/** Checks programs before anything of them runs: several at once, each by itself, none for long. */
import type { CheckedProgram, CodeChecker, CodeIssue } from '../domain/code.js';
import { HelveError } from '../domain/errors.js';
import { addHint } from '../util/packages.js';
import { createTurns } from '../util/turns.js';
import { untilAborted } from '../util/until-aborted.js';
import type { EngineName } from './engine.js';
import { namesIn } from './names-in.js';
import { createPlace, type Outcome, type Place } from './place.js';

export interface CheckerOptions {
  /** Default: the native compiler, or the JavaScript one on platforms without it. */
  readonly engine?: EngineName;
  /** How many checks may run at once. */
  readonly places?: number;
  readonly timeoutMs?: number;
  /** Where an operator may have added the compiler. */
  readonly dataDir?: string | undefined;
}

const maxBytes = 256 * 1024;
const cancelled = 'The check was cancelled';

export function createChecker(options: CheckerOptions = {}, makePlace = createPlace): CodeChecker {
  const { engine, places: maxBusy = 2, timeoutMs = 2_000, dataDir } = options;
  let preferred: EngineName = engine ?? 'native';
  const idle: { readonly engine: EngineName; readonly place: Place }[] = [];
  const open = new Set<Place>();
  const inTurn = createTurns(maxBusy, cancelled);
  let closed = false;

  async function usePlace(program: CheckedProgram, name: EngineName): Promise<Outcome> {
    if (closed) throw stopping();
    const found = idle.findLastIndex((one) => one.engine === name);
    const [taken] = found === -1 ? [] : idle.splice(found, 1);
    const used = taken ?? { engine: name, place: makePlace({ engine: name, timeoutMs, dataDir }) };
    open.add(used.place);
    const outcome = await used.place.check(program);
    idle.push(used);
    return outcome;
  }

  async function check(program: CheckedProgram, name = preferred): Promise<readonly CodeIssue[]> {
    const outcome = await inTurn(undefined, () => usePlace(program, name));
    if (closed && outcome.is !== 'checked') throw stopping();
    switch (outcome.is) {
      case 'checked':
        return outcome.issues;
      case 'late':
        return [whole(`The program's types take longer than ${timeoutMs / 1_000} s to check: make them simpler`)];
      case 'exhausted':
        return [whole('The program is too deep, or its types too large, to be checked: make it simpler')];
    }
    if (engine === undefined && name === 'native') {
      // Where it cannot start it is not tried again; one program that it fails at says nothing of the next.
      if (outcome.is === 'unavailable') preferred = 'javascript';
      return check(program, 'javascript');
    }
    // A compiler may be added while Helve runs.
    preferred = engine ?? 'native';
    throw new HelveError('tool_failed', 'No compiler could check the program', {
      hint: `${addHint('code')} Where TypeScript 7 has no native compiler, install typescript-js beside Helve: npm install typescript-js@npm:typescript@5.9`,
      cause: outcome.reason,
    });
  }

  return {
    namesIn,
    async check(program, signal) {
      if (closed) throw stopping();
      if (Buffer.byteLength(program.code) > maxBytes)
        return { issues: [whole(`The program is larger than ${maxBytes / 1024} KB`)] };
      const work = () => check(program);
      return { issues: await (signal ? untilAborted(signal, cancelled, work) : work()) };
    },
    async close() {
      closed = true;
      await Promise.all([...open].map((place) => place.close()));
    },
  };
}

function stopping(): HelveError {
  return new HelveError('shutting_down', 'The program was not checked because Helve is stopping');
}

function whole(message: string): CodeIssue {
  return { line: 1, column: 1, message };
}
