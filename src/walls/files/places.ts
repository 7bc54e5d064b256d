/**
 * Which locations may be reached: the globs that the operator allowed, without what is hidden. A glob is split into its
 * fixed folder, which the operator chose and which may itself be a link, and the rest, which is matched against the
 * real path below that folder. Pure except for `createPlaces`, which resolves the fixed folders once.
 */
import { posix } from 'node:path';
import picomatch from 'picomatch';
import { HelveError } from '../../domain/errors.js';
import { invalidPath, quoted } from './failures.js';
import { listNames, within } from './hidden.js';

export interface Places {
  /** Resolves a caller's path: absolute, without `..`. Throws for a path that is malformed, or outside by name. */
  resolve(path: string): string;
  allows(real: string): boolean;
  /** Whether everything below is allowed too, and none of it hidden. */
  allowsTree(real: string): boolean;
  /** Whether something hidden is, or would be, below this name. */
  isAboveHidden(real: string): boolean;
  /** Whether it is somewhere below a fixed folder, and not hidden. */
  surrounds(real: string): boolean;
  /** Whether it is a fixed folder itself, or the workspace's: those belong to the operator. */
  isRoot(real: string): boolean;
  /** Whether it is a fixed folder that a glob names as a folder, through its contents. */
  isFolderRoot(real: string): boolean;
  isHome(real: string): boolean;
  outside(path: string): HelveError;
}

interface Place {
  /** The fixed folder as written, and its real location. */
  readonly bases: readonly string[];
  readonly literal: boolean;
  matches(below: string): boolean;
  /** Whether the glob covers everything below this. */
  takesTree(below: string): boolean;
}

export interface PlacesOptions {
  readonly globs: readonly string[];
  readonly home: string | undefined;
  readonly hidden: readonly string[];
}

/** File systems that expose the machine and every process on it. */
const system = ['/proc', '/sys', '/dev'];
const memory = '/dev/shm';
const maxPathBytes = 4_095;
/** Without `posix`, picomatch takes `[!a]` for one of `!` and `a`: the opposite of what a shell takes it for. */
const matching = { dot: true, nonegate: true, posix: true, flags: 's' };

export async function createPlaces({ globs, home, hidden }: PlacesOptions): Promise<Places> {
  const homes = home === undefined ? [] : await listNames(home);
  const hiding = (await Promise.all(hidden.map(listNames))).flat();
  const places = await Promise.all(
    globs.length > 0 ? globs.map(findPlace) : homes.length > 0 ? [placeAt(homes, '**', false)] : [],
  );
  const start = places[0]?.bases[0];
  if (start === undefined) {
    throw new HelveError('invalid_config', 'No files can be reached: there is no allowed_paths and no data folder', {
      hint: 'The operator sets allowed_paths in the tool_config of this tool, or starts Helve with a data folder.',
    });
  }
  const roots = places.flatMap(({ bases }) => bases);
  const isHome = (real: string): boolean => homes.some((one) => within(real, one));
  const isHidden = (real: string): boolean =>
    (system.some((one) => within(real, one)) && !within(real, memory)) ||
    hiding.some((one) => within(real, one) && !(isHome(real) && homes.some((at) => within(at, one))));
  const some = (real: string, ask: (place: Place, below: string) => boolean): boolean =>
    !isHidden(real) &&
    places.some((place) => place.bases.some((base) => within(real, base) && ask(place, belowOf(real, base))));
  const allows = (real: string): boolean => some(real, (place, below) => place.matches(below));
  const outside = (path: string): HelveError =>
    new HelveError('forbidden', `${quoted(path)} is not in a location that this tool may reach`, {
      hint:
        globs.length > 0
          ? `Allowed: ${globs.slice(0, 5).join(', ')}. A relative path starts at ${start}.`
          : 'Use a relative path: it starts in the folder of this workspace.',
    });

  return {
    allows,
    outside,
    isHome,
    surrounds: (real) => some(real, () => true),
    allowsTree: (real) =>
      some(real, (place, below) => place.takesTree(below)) &&
      ![...hiding, ...system, ...homes, ...roots].some((one) => within(one, real) && one !== real),
    isAboveHidden: (real) => hiding.some((one) => within(one, real) && one !== real),
    isRoot: (real) => roots.includes(real) || homes.includes(real),
    isFolderRoot: (real) => places.some(({ bases, literal }) => !literal && bases.includes(real)),
    resolve(path) {
      checkSpelling(path);
      const absolute = posix.isAbsolute(path) ? posix.resolve(path) : posix.resolve(start, path);
      if (!allows(absolute) && !(roots.includes(absolute) && !isHidden(absolute))) throw outside(path);
      return absolute;
    },
  };
}

/**
 * Refuses a glob that names something hidden, or matches it by a pattern narrower than a whole folder. Throws
 * `invalid_config`.
 */
export async function checkPlaces({ globs, home, hidden }: PlacesOptions): Promise<void> {
  const homes = home === undefined ? [] : await listNames(home);
  const hiding = (await Promise.all(hidden.map(listNames))).flat();
  for (const glob of globs) {
    const { bases, literal, matches } = await findPlace(glob);
    const whole = literal || /\/\*\*?$/.test(glob);
    const asksFor = (one: string, base: string): boolean =>
      (within(base, one) && !homes.some((at) => within(base, at) && within(at, one))) ||
      (!whole && within(one, base) && matches(belowOf(one, base)));
    const named = hiding.find((one) => bases.some((base) => asksFor(one, base)));
    if (named === undefined) continue;
    const problem = `allowed_paths: ${quoted(glob)} covers ${quoted(named)}, which agents must not reach`;
    throw new HelveError('invalid_config', problem, {
      hint: 'Helve or its configuration uses it. Allow a whole folder, in which it stays hidden, or move it elsewhere.',
    });
  }
}

function checkSpelling(path: string): void {
  if (path === '') throw invalidPath('The path is empty', 'Use . for the starting folder.');
  if (path.includes('\0')) throw invalidPath('The path contains a null byte');
  if (/\p{Surrogate}/u.test(path)) throw invalidPath('The path contains half a character (a lone surrogate)');
  if (/^file:/i.test(path)) throw invalidPath(`${quoted(path)} is a URL`, 'Give the path alone, without file://.');
  if (/^~($|\/)/.test(path))
    throw invalidPath(`${quoted(path)}: ~ has no meaning here`, 'Relative paths start in the allowed folder.');
  if (Buffer.byteLength(path) > maxPathBytes) throw invalidPath(`The path is longer than ${maxPathBytes} bytes`);
}

/** A path without wildcards stands for itself and everything below it. */
async function findPlace(glob: string): Promise<Place> {
  if (!posix.isAbsolute(glob) || glob.includes('\0')) {
    throw new HelveError('invalid_config', `allowed_paths: ${quoted(glob)} is not an absolute path`, {
      hint: 'The operator writes it from the root, e.g. /data/research/**',
    });
  }
  const parts = glob.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) {
    throw new HelveError('invalid_config', `allowed_paths: ${quoted(glob)} contains ..`, {
      hint: 'Write the intended path.',
    });
  }
  const first = parts.findIndex((part) => /[*?[\]{}()\\]/.test(part));
  const fixed = `/${(first < 0 ? parts : parts.slice(0, first)).join('/')}`;
  return placeAt(await listNames(fixed), first < 0 ? '**' : parts.slice(first).join('/'), first < 0);
}

function placeAt(bases: readonly string[], rest: string, literal: boolean): Place {
  if (rest === '**') return { bases, literal, matches: () => true, takesTree: () => true };
  const match = picomatch(rest, matching);
  const above = rest.endsWith('/**') ? picomatch(rest.slice(0, -3), matching) : () => false;
  return {
    bases,
    literal,
    matches: (below) => match(below),
    takesTree: (below) => ancestors(below).some((one) => above(one)),
  };
}

/** `a/b/c` → `a/b/c`, `a/b`, `a`. */
function ancestors(path: string): string[] {
  const parts = path === '' ? [] : path.split('/');
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
}

function belowOf(path: string, base: string): string {
  return base === '/' ? path.slice(1) : path.slice(base.length + 1);
}
