/** The people of a workspace, and their sessions. */
import type { Permission, Principal, Role, User, Workspace } from './principal.js';

export interface NewUser {
  readonly name: string;
  readonly email?: string;
  readonly role: Role;
}

export interface UserChanges {
  readonly name?: string;
  readonly email?: string;
  readonly role?: Role;
  /** True: they cannot sign in, and their sessions end. */
  readonly disabled?: boolean;
}

/** What happens to the accounts of a person who leaves. */
export type Farewell =
  | { readonly accounts: 'remove' }
  /** `to`: another person. Slugs and grants stay as they are. */
  | { readonly accounts: 'hand_over'; readonly to: string };

/** A person signs in with it, once. */
export interface SignInLink {
  /** An address; only its path while the address of this Helve is unknown. */
  readonly link: string;
  readonly expiresAt?: string;
}

/** The session of the caller. */
export interface CurrentSession {
  readonly user: Pick<User, 'id' | 'name' | 'email' | 'role'>;
  readonly workspace: Pick<Workspace, 'id' | 'name'>;
  readonly permissions: readonly Permission[];
  readonly expiresAt?: string;
}

export interface UserSession {
  readonly id: string;
  readonly createdAt: string;
  readonly lastUsedAt?: string;
  readonly expiresAt?: string;
  /** It is the session of this request. */
  readonly current: boolean;
}

export interface PeopleActs {
  /** Throws `forbidden` for a caller that is not signed in as a person. */
  currentSession(principal: Principal): Promise<CurrentSession>;
  /** The caller's live sessions, newest first. Throws `forbidden` as above. */
  sessions(principal: Principal): Promise<readonly UserSession[]>;
  /** Throws `not_found` for a session that is not the caller's, and `forbidden` as above. */
  endSession(principal: Principal, id: string): Promise<void>;
  users(principal: Principal): Promise<readonly User[]>;
  /** Throws `invalid_input` for an invalid name or address, and `forbidden` for a role that exceeds the caller's permissions. */
  createUser(principal: Principal, user: NewUser): Promise<SignInLink & { readonly user: User }>;
  /**
   * Throws `not_found`, `forbidden` for a role that exceeds the caller's permissions, and `conflict` for what would leave the
   * workspace without an active admin.
   */
  changeUser(principal: Principal, person: string, changes: UserChanges): Promise<User>;
  /**
   * Throws what `changeUser` throws, and `conflict` if the person owns accounts and `farewell` does not say what
   * happens to them.
   */
  removeUser(principal: Principal, person: string, farewell?: Farewell): Promise<void>;
  /** A new link with which the person signs in, once. Throws `not_found`, `forbidden`, and `conflict` for a person who is disabled. */
  issueSignInLink(principal: Principal, person: string): Promise<SignInLink>;
}
