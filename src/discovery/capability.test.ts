/** The effects of tools, and what requests ask for. */
import { expect, it } from 'vitest';
import { checkIntent, listCapabilities } from './index.js';

const slack = (name: string) => ({ toolkit: 'slack', name });

it('R-capability: sending a message never selects the tool that creates a conversation', () => {
  const wrong = checkIntent('send a message to #general', slack('SLACK_CREATE_CHANNEL_BASED_CONVERSATION'));
  expect(wrong).toEqual({
    fits: false,
    asked: [{ verb: 'send', object: 'message' }],
    does: [{ verb: 'create', object: 'channel conversation' }],
  });
  for (const name of ['SLACK_SEND_MESSAGE', 'SLACK_CHAT_POST_MESSAGE', 'SLACK_CREATE_MESSAGE'])
    expect(checkIntent('send a message to #general', slack(name)), name).toEqual({ fits: true });
});

it.each([
  ['create an issue', 'delete_issue'],
  ['send a message', 'delete_message'],
  ['enable the webhook', 'disable_webhook'],
  ['close the deal', 'delete_deal'],
  ['stop the campaign', 'update_campaign'],
  ['remove Ann from the project', 'create_project'],
  ['get rid of the page', 'create_page'],
  ['find the invoices and receipts of Acme', 'send_email'],
  ['list the issues and then the labels', 'delete_label'],
  ['find the invoices and list the customers', 'send_email'],
  ['search the notes and the mails, my drafts too', 'delete_draft'],
])('R-capability: %s is not %s', (asked, name) => {
  expect(checkIntent(asked, slack(name)).fits).toBe(false);
});

it.each([
  ['add a label to the issue', 'update_issue'],
  ['put the mail into the bin', 'move_to_trash'],
  ['close the deal', 'update_deal'],
  ['turn on the welcome mails', 'update_campaign'],
  ['subscribe eve@example.com to the list', 'add_member_to_list'],
  ['archive every card', 'add_lists_archive_all_cards_by_id_list'],
  ['answer that we are looking into it', 'reply_ticket'],
  ['send a message to #general', 'list_channels'],
  ['the general channel', 'delete_channel'],
  ['manage the team', 'remove_member'],
  ['get rid of old-draft.md', 'delete_file'],
  ['drop Ann a mail', 'send_email'],
  ['ffmpeg on clip.mov', 'run_command'],
  ['', 'delete_channel'],
  ['find the overdue invoices and remind the customers', 'send_email'],
  ['check the orders; chase the late ones', 'send_email'],
  ['run the tests and fix what fails', 'delete_file'],
])('R-capability: %s may need %s', (asked, name) => {
  expect(checkIntent(asked, slack(name)).fits).toBe(true);
});

it('R-capability: what the author of a tool says that it does counts beside its name', () => {
  const tool = slack('move_page');
  expect(checkIntent('send the page', tool).fits).toBe(false);
  expect(checkIntent('send the page', { ...tool, capabilities: ['send page'] }).fits).toBe(true);
  expect(checkIntent('delete the page', { ...tool, capabilities: ['send page'] }).fits).toBe(false);
});

it('R-capability: a name may contain two acts; without a verb the description decides', () => {
  const both = listCapabilities(slack('create_or_update_file')).map(({ verb }) => verb);
  expect(both).toEqual(['create', 'update']);
  expect(listCapabilities({ ...slack('conversation_history'), description: 'Fetches messages.' })[0]?.verb).toBe('get');
  expect(listCapabilities(slack('weather'))).toEqual([]);
});
