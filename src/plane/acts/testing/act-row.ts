/** For tests: what the table says of each act of the plane. */
import type { ErrorCode } from '../../../domain/errors.js';
import type { Plane } from '../../../domain/plane.js';
import type { Permission, Principal } from '../../../domain/principal.js';
import type { Scene } from './acts-scene.js';

/** Why a column has nothing to try. */
export interface None {
  readonly none: string;
}

/** Another test file that tries this, with the words in it that show where. */
export interface Proved {
  readonly file: string;
  readonly words: string;
}

/** The code it is refused with; `nothing`: it answers, shows nothing of the private account and changes nothing of it. */
export type Cell = ErrorCode | 'nothing' | None | Proved;

/** Something of the row's own that has ended. */
export interface Ended {
  readonly code: ErrorCode;
  readonly act: (scene: Scene) => unknown;
}

/** The act takes a principal, which is made from a credential that has not ended: see the last tests of the table. */
export type NoPrincipal = 'no principal';

/** Acts whose caller comes first. */
export type ByPrincipal = {
  [Act in keyof Plane]: Parameters<Plane[Act]>[0] extends Principal ? Act : never;
}[keyof Plane];

export interface Row<Act extends keyof Plane = keyof Plane> {
  /** Each is taken away in turn, and the act is then `forbidden`, or what `lacking` says. */
  readonly needs: readonly Permission[] | None;
  readonly lacking?: ErrorCode;
  /** Held besides by the one who succeeds. */
  readonly also?: readonly Permission[];
  /** Aimed at what is private, wherever it can be. */
  readonly act: (scene: Scene, by: Principal) => unknown;
  /**
   * What the right caller gets: it `shows` the private account's word, `changes` the store, `answers`, or `passes` with
   * nothing to see. A code: what is not set up here refuses it, after every wall has let it through.
   */
  readonly effect: 'shows' | 'changes' | 'answers' | 'passes' | ErrorCode;
  /** Text that the act itself names, and that an answer may repeat. */
  readonly names?: string;
  /** By a key that holds every permission and may not see the account. */
  readonly account: Cell;
  /** What that key does not hold either. */
  readonly accountWithout?: readonly Permission[];
  /** By another agent. */
  readonly agent: Cell;
  /** By the admin of another workspace. */
  readonly workspace: Cell;
  readonly expired: Ended | Proved | (Act extends ByPrincipal ? NoPrincipal : None);
  readonly revoked: Ended | Proved | (Act extends ByPrincipal ? NoPrincipal : None);
}

export type Table<Acts extends keyof Plane> = { readonly [Act in Acts]: Row<Act> };
