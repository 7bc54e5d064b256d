/** The most frequent reasons of Slack, and what each means to a caller. */
import type { ErrorCode } from '../../domain/errors.js';

/** The token itself is refused. */
export const tokenReasons: ReadonlySet<string> = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'user_removed_from_team',
]);

export interface Meaning {
  readonly code: ErrorCode;
  readonly hint?: string;
}

const notFound = (hint: string): Meaning => ({ code: 'not_found', hint });
const forbidden = (hint: string): Meaning => ({ code: 'forbidden', hint });
const wrong = (hint: string): Meaning => ({ code: 'invalid_input', hint });
const conflict = (hint: string): Meaning => ({ code: 'conflict', hint });
const later: Meaning = { code: 'upstream_failed', hint: 'Slack has a problem at the moment. Try again later.' };

const noChannel = notFound(
  'list_channels lists the channels. Slack also answers this way for a private channel that the account is not in.',
);
const noUser = notFound('list_users lists the people with their ids; find_user_by_email finds one.');
const noMessage = notFound('Check the channel and the ts: list_messages and get_thread show them.');
const askAPerson = forbidden('The settings of the workspace do not let this account do that. A person must do it.');
export const wrongTokenHint =
  'Slack does this for user tokens only, and this account is connected as a bot. A person must connect it with a user token (scheme user_token, scope search:read for searches).';
const wrongToken = forbidden(wrongTokenHint);
const botOnly = forbidden('Slack does not do this for the kind of token that this account is connected with.');
const wrongBlocks = wrong(
  'blocks: check them against the Block Kit reference; each needs a type and what that type demands.',
);
const wrongName = wrong('A name has at most 80 characters: lower-case letters, digits, - and _.');

export const meanings: Readonly<Record<string, Meaning>> = {
  ratelimited: { code: 'rate_limited' },
  rate_limited: { code: 'rate_limited' },
  message_limit_exceeded: {
    code: 'rate_limited',
    hint: 'The workspace has reached its maximum number of messages.',
  },
  too_many_scheduled: {
    code: 'rate_limited',
    hint: 'Slack accepts no more scheduled messages in this channel for that time.',
  },

  channel_not_found: noChannel,
  channel_is_archived: noChannel,
  is_archived: conflict('The channel is archived. Choose another, or let a person unarchive it.'),
  not_in_channel: forbidden(
    'The account is not in this channel: join_channel a public one, be invited to a private one.',
  ),
  user_not_found: noUser,
  users_not_found: noUser,
  user_not_visible: noUser,
  user_disabled: notFound('The account of this person is switched off.'),
  message_not_found: noMessage,
  thread_not_found: noMessage,
  bad_timestamp: wrong('ts is written as Slack gave it: 1503435956.000247'),
  invalid_ts_latest: wrong('ts is written as Slack gave it: 1503435956.000247'),
  invalid_ts_oldest: wrong('ts is written as Slack gave it: 1503435956.000247'),
  file_not_found: notFound('list_files lists the files.'),

  missing_scope: forbidden('A person must connect the account again with the scope.'),
  not_allowed_token_type: wrongToken,
  no_permission: askAPerson,
  org_login_required: askAPerson,
  restricted_action: askAPerson,
  restricted_action_read_only_channel: forbidden('Only some people may post in this channel.'),
  restricted_action_thread_only_channel: forbidden(
    'In this channel only replies in threads are allowed: give thread_ts.',
  ),
  restricted_action_non_threadable_channel: forbidden('In this channel there are no threads: leave out thread_ts.'),
  user_is_restricted: askAPerson,
  user_is_bot: botOnly,
  user_is_ultra_restricted: askAPerson,
  access_denied: askAPerson,
  team_access_not_granted: askAPerson,
  cant_archive_general: forbidden('The general channel cannot be archived.'),
  cant_update_message: forbidden('Only messages that this account posted can be changed.'),
  cant_delete_message: forbidden('Only messages that this account posted can be deleted.'),
  edit_window_closed: forbidden('The workspace allows messages to be changed only for a limited time, which is over.'),
  compliance_exports_prevent_deletion: askAPerson,
  method_not_supported_for_channel_type: wrong(
    'This cannot be done in a channel of this kind: direct messages have no members to invite and nothing to join.',
  ),

  name_taken: conflict('There is a channel of this name, perhaps an archived one. Choose another, or use that one.'),
  invalid_name: wrongName,
  invalid_name_maxlength: wrongName,
  invalid_name_punctuation: wrongName,
  invalid_name_required: wrongName,
  invalid_name_specials: wrongName,
  already_archived: conflict('It is archived already.'),
  already_in_channel: conflict('They are in the channel already.'),
  already_reacted: conflict('This account has reacted with it already.'),
  cant_invite_self: wrong('The account itself cannot be invited: use join_channel.'),
  cant_invite: askAPerson,
  too_many_reactions: conflict('The message has as many reactions as Slack allows.'),
  too_many_emoji: conflict('The message has as many different emoji as Slack allows.'),
  no_reaction: notFound('There is no such reaction of this account.'),
  invalid_name_emoji: wrong('An emoji is named without colons: thumbsup'),

  no_text: wrong('Give text, blocks or both.'),
  msg_too_long: wrong('A message has at most 40,000 characters, better 4,000. Split it, or upload_file.'),
  msg_blocks_too_long: wrong('A message has at most 50 blocks of limited length. Split it.'),
  too_many_attachments: wrong('Split the message.'),
  invalid_blocks: wrongBlocks,
  invalid_blocks_format: wrongBlocks,
  invalid_cursor: wrong(
    'Give next_cursor of the previous answer, and the same other parameters, or no cursor to begin again.',
  ),
  invalid_limit: wrong('limit must be between 1 and what the tool says.'),
  time_in_past: wrong('post_at must lie in the future.'),
  time_too_far: wrong('post_at must lie within the next 120 days.'),

  service_unavailable: later,
  team_added_to_org: later,
  request_timeout: later,
};
