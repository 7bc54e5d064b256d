/** The workspaces of an installation. */
import type { SignInLink } from './people.js';
import type { Principal, User, Workspace } from './principal.js';

/** The slug of the workspace that a start sets up. Its people look after the installation. */
export const firstWorkspace = 'default';

export interface NewWorkspace {
  /** Lower-case letters, digits and -, starting with a letter, at most 32 characters. */
  readonly slug: string;
  /** Default: the slug. */
  readonly name?: string;
  /** The first admin. */
  readonly admin: Pick<User, 'name' | 'email'>;
}

/** The link signs in the new workspace's first admin. */
export interface CreatedWorkspace extends SignInLink {
  readonly workspace: Workspace;
  readonly user: User;
}

export interface WorkspaceActs {
  /** All, oldest first, for callers of the installation's first workspace. For others only their own. */
  workspaces(principal: Principal): Promise<readonly Workspace[]>;
  /**
   * Throws `forbidden` for a caller of another workspace than the installation's first, `invalid_input` for a slug, name or
   * address that is none, and `conflict` for a slug that is taken.
   */
  createWorkspace(principal: Principal, workspace: NewWorkspace): Promise<CreatedWorkspace>;
}
