/** People and sessions over HTTP. */
import { z } from 'zod';
import { text } from './requests.js';
import { namedShapes, permission, role, timestamp } from './shapes.js';

export const user = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().optional(),
  role,
  status: z.enum(['invited', 'active', 'disabled']).describe('invited: has not signed in yet'),
  createdAt: timestamp,
});
namedShapes.add(user, { id: 'User' });
export const userList = z.object({ users: z.array(user) });

export const newUserBody = z.strictObject({ name: text, email: text.optional(), role });

export const changeUserBody = z.strictObject({
  name: text.optional(),
  email: text.optional(),
  role: role.optional(),
  disabled: z.boolean().optional().describe('true: they cannot sign in, and their sessions end'),
});

export const signInLink = z.object({
  link: z.string().describe('They sign in with it, once'),
  expiresAt: timestamp.optional(),
});
export const invited = signInLink.extend({ user });

const workspace = z.object({ id: z.string(), slug: z.string(), name: z.string(), createdAt: timestamp });
namedShapes.add(workspace, { id: 'Workspace' });
export const workspaceList = z.object({ workspaces: z.array(workspace) });
export const newWorkspaceBody = z.strictObject({
  slug: text.describe('Lower-case letters, digits and -, starting with a letter, at most 32'),
  name: text.optional().describe('Default: the slug'),
  admin: z.strictObject({ name: text, email: text.optional() }).describe('The first admin'),
});
export const createdWorkspace = invited.extend({ workspace });

export const userParams = z.object({ user: text.describe('Id, e-mail address or name') });
export const removeUserQuery = z.strictObject({
  accounts: z.enum(['remove', 'hand_over']).optional().describe('What happens to the accounts that they own'),
  to: text.optional().describe('With hand_over: the id of the person who gets them'),
});

export const currentSession = z.object({
  user: z.object({ id: z.string(), name: z.string(), email: z.string().optional(), role }),
  workspace: z.object({ id: z.string(), name: z.string() }),
  permissions: z.array(permission),
  expiresAt: timestamp.optional(),
});
namedShapes.add(currentSession, { id: 'Session' });

export const sessionList = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      createdAt: timestamp,
      lastUsedAt: timestamp.optional(),
      expiresAt: timestamp.optional(),
      current: z.boolean().describe('The session of this request'),
    }),
  ),
});
