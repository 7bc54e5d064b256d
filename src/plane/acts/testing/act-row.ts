/** For tests: the table's row for each operation of the plane. */
import type { ActByPrincipal, None } from '../../../domain/acts.js';
import type { ErrorCode } from '../../../domain/errors.js';
import type { Plane } from '../../../domain/plane.js';
import type { Permission, Principal } from '../../../domain/principal.js';
import type { Scene } from './acts-scene.js';

/** Another test file that covers this, with words from it that identify the test. */
export interface Proved {
  readonly file: string;
  readonly words: string;
}

/**
 * The error code of the refusal; `nothing`: it succeeds, but shows nothing of the private account and changes nothing
 * of it.
 */
export type Cell = ErrorCode | 'nothing' | None | Proved;

/** A credential of the row itself that has ended. */
export interface Ended {
  readonly code: ErrorCode;
  readonly act: (scene: Scene) => unknown;
}

/**
 * The operation takes a principal, which is created from a credential that has not ended: see the last tests of the
 * table.
 */
export type NoPrincipal = 'no principal';

export interface Row<Act extends keyof Plane = keyof Plane> {
  /** Each is removed in turn, and the operation is then `forbidden`, or fails as `lacking` says. */
  readonly needs: readonly Permission[] | None;
  readonly lacking?: ErrorCode;
  /** Further permissions of the successful caller. */
  readonly also?: readonly Permission[];
  /** Directed at the private account wherever possible. */
  readonly act: (scene: Scene, by: Principal) => unknown;
  /**
   * The result for the permitted caller: it `shows` the private account's marker word, `changes` the store, `answers`,
   * or `passes` without a visible result. A code: something that is not set up here refuses it, after every access
   * check has passed.
   */
  readonly effect: 'shows' | 'changes' | 'answers' | 'passes' | ErrorCode;
  /** Text that the operation itself names, and that an answer may repeat. */
  readonly names?: string;
  /** For a key that has every permission and may not see the account. */
  readonly account: Cell;
  /** Permissions that this key also lacks. */
  readonly accountWithout?: readonly Permission[];
  /** For another agent. */
  readonly agent: Cell;
  /** For the admin of another workspace. */
  readonly workspace: Cell;
  readonly expired: Ended | Proved | (Act extends ActByPrincipal ? NoPrincipal : None);
  readonly revoked: Ended | Proved | (Act extends ActByPrincipal ? NoPrincipal : None);
}

export type Table<Acts extends keyof Plane> = { readonly [Act in Acts]: Row<Act> };
