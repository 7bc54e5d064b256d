/** The tools of Slack. */
import type { ToolDefinition } from '../../../domain/tool.js';
import {
  archiveChannel,
  createChannel,
  getChannel,
  inviteToChannel,
  joinChannel,
  listChannels,
  openDirectMessage,
} from './channels.js';
import { listFiles, uploadFile } from './files.js';
import { deleteMessage, postMessage, scheduleMessage, updateMessage } from './post-messages.js';
import { addReaction, listReactions, removeReaction } from './reactions.js';
import { getPermalink, getThread, listMessages, searchMessages } from './read-messages.js';
import { findUserByEmail, getCurrentUser, getUser, listUsers } from './users.js';

// biome-ignore format: a line for each kind of thing
export const slackTools: readonly ToolDefinition[] = [
  postMessage, updateMessage, deleteMessage, scheduleMessage,
  listMessages, getThread, getPermalink, searchMessages,
  listChannels, getChannel, createChannel, archiveChannel, inviteToChannel, joinChannel, openDirectMessage,
  listUsers, getUser, findUserByEmail, getCurrentUser,
  addReaction, removeReaction, listReactions,
  listFiles, uploadFile,
];
