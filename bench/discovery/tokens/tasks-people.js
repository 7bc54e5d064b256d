// What people ask of an assistant: mail, calendars, files, notes, chats, and public posts. Each with the action of Composio
// that serves it, its arguments, and other words for a second search. All were written before any of them was searched for;
// tasks that the search misses stay in the list.
import { task } from './task.js';

const news = { channel: '#releases', text: 'deploy is done' };
const reminder = { text: 'Send the report', time: 'tomorrow at 9am' };

export const peopleTasks = [
  task('Send Anna (anna@example.com) an email from my Gmail that the contract is signed', 'send an email with Gmail', [
    'GMAIL_SEND_EMAIL',
    { recipient_email: 'anna@example.com', subject: 'Contract', body: 'The contract is signed.' },
  ]),
  task('Put the mail 18f3a2 from yesterday into the bin in Gmail', 'move a Gmail message to trash', [
    'GMAIL_MOVE_TO_TRASH',
    { message_id: '18f3a2' },
  ]),
  task('What unread mails do I have in Gmail from the bank?', 'fetch emails from Gmail that match a query', [
    'GMAIL_FETCH_EMAILS',
    { query: 'is:unread from:bank', max_results: 20 },
  ]),
  task('Make a new label “Invoices 2026” in my Gmail', 'create a Gmail label', [
    'GMAIL_CREATE_LABEL',
    { label_name: 'Invoices 2026' },
  ]),
  task('Answer the thread 17aa in Gmail: yes, Tuesday works for me', 'reply to an email thread in Gmail', [
    'GMAIL_REPLY_TO_THREAD',
    { thread_id: '17aa', message_body: 'Yes, Tuesday works for me.', recipient_email: 'bo@example.com' },
  ]),
  task('Book an hour with the design team in my Google calendar on 3 December at ten', 'create a calendar event', [
    'GOOGLECALENDAR_CREATE_EVENT',
    {
      summary: 'Design team',
      start_datetime: '2026-12-03T10:00:00',
      event_duration_hour: 1,
      attendees: ['design@example.com'],
    },
  ]),
  task('When am I free on Thursday afternoon? Look into Google Calendar', 'find free slots in a calendar', [
    'GOOGLECALENDAR_FIND_FREE_SLOTS',
    { time_min: '2026-11-26T12:00:00', time_max: '2026-11-26T18:00:00' },
  ]),
  task('Bob is not coming to the event ev_91: take him off the guests in Google Calendar', 'remove an attendee', [
    'GOOGLECALENDAR_REMOVE_ATTENDEE',
    { event_id: 'ev_91', attendee_email: 'bob@example.com' },
  ]),
  task('Share the file 1AbC on Google Drive with carla@example.com, she may only read it', 'share a file on Drive', [
    'GOOGLEDRIVE_ADD_FILE_SHARING_PREFERENCE',
    { file_id: '1AbC', role: 'reader', type: 'user', email_address: 'carla@example.com' },
  ]),
  task('Make a folder “Taxes” in Google Drive', 'create a folder in Google Drive', [
    'GOOGLEDRIVE_CREATE_FOLDER',
    { folder_name: 'Taxes' },
  ]),
  task('Find the row for ACME in the sheet 1XyZ in Google Sheets', 'look up a row in a spreadsheet', [
    'GOOGLESHEETS_LOOKUP_SPREADSHEET_ROW',
    { spreadsheet_id: '1XyZ', query: 'ACME' },
  ]),
  task('Empty the cells A2:D50 of my Google spreadsheet 1XyZ', 'clear values of a range in Google Sheets', [
    'GOOGLESHEETS_CLEAR_VALUES',
    { spreadsheet_id: '1XyZ', range: 'A2:D50' },
  ]),
  task('What is still to do on my Google Tasks list MDc4?', 'list tasks of a task list in Google Tasks', [
    'GOOGLETASKS_LIST_TASKS',
    { tasklist_id: 'MDc4', showCompleted: false },
  ]),
  task(
    'Write “deploy is done” into #releases on Slack',
    'post a message to a Slack channel',
    ['SLACK_SENDS_A_MESSAGE_TO_A_SLACK_CHANNEL', news],
    ['SLACK_CHAT_POST_MESSAGE', news],
  ),
  task(
    'Remind me in Slack tomorrow at nine to send the report',
    'create a reminder in Slack',
    ['SLACK_CREATE_A_REMINDER', reminder],
    ['SLACK_REMINDERS_ADD', reminder],
  ),
  task('Pin the message 1712.55 in the Slack channel C02', 'pin an item to a channel in Slack', [
    'SLACK_PINS_AN_ITEM_TO_A_CHANNEL',
    { channel: 'C02', timestamp: '1712.55' },
  ]),
  task('Put a thumbs up on the Slack message 1712.55 in C02', 'add a reaction to a message in Slack', [
    'SLACK_ADD_REACTION_TO_AN_ITEM',
    { channel: 'C02', name: 'thumbsup', timestamp: '1712.55' },
  ]),
  task('Ban the user 8812 from our Discord server 77', 'ban a user from a guild in Discord', [
    'DISCORDBOT_BAN_USER_FROM_GUILD',
    { guild_id: '77', user_id: '8812' },
  ]),
  task('Create a page “Meeting notes” under the page 9f1c in Notion', 'create a Notion page', [
    'NOTION_CREATE_NOTION_PAGE',
    { parent_id: '9f1c', title: 'Meeting notes' },
  ]),
  task('Look in Notion for the page about onboarding', 'search pages in Notion', [
    'NOTION_SEARCH_NOTION_PAGE',
    { query: 'onboarding' },
  ]),
  task('Move contract.pdf in Dropbox from /inbox to /signed', 'move a file in Dropbox', [
    'DROPBOX_MOVE_FILE_OR_FOLDER',
    { from_path: '/inbox/contract.pdf', to_path: '/signed/contract.pdf' },
  ]),
  task('Make a copy of the Box file 5510 in the folder 12', 'copy a file in Box', [
    'BOX_COPY_FILE',
    { file_id: '5510', parent__id: '12' },
  ]),
  task('Change the title of my YouTube video dQw4 to “Trailer”', 'update a YouTube video', [
    'YOUTUBE_UPDATE_VIDEO',
    { videoId: 'dQw4', title: 'Trailer' },
  ]),
  task('Who talks about Helvetica on Reddit?', 'search across subreddits', [
    'REDDIT_SEARCH_ACROSS_SUBREDDITS',
    { search_query: 'Helvetica' },
  ]),
  task('Delete my tweet 15550', 'delete a post on Twitter by its id', [
    'TWITTER_POST_DELETE_BY_POST_ID',
    { id: '15550' },
  ]),
  task('Call off the Calendly appointment e-77, I am ill', 'cancel a scheduled event in Calendly', [
    'CALENDLY_CANCEL_EVENT',
    { uuid: 'e-77', reason: 'I am ill' },
  ]),
  task('Get me the summary of the Zoom call 81234', 'get a meeting summary from Zoom', [
    'ZOOM_GET_A_MEETING_SUMMARY',
    { meetingId: '81234' },
  ]),
  task('Read “Welcome to the show” aloud with the ElevenLabs voice v21', 'text to speech', [
    'ELEVENLABS_TEXT_TO_SPEECH',
    { voice_id: 'v21', text: 'Welcome to the show' },
  ]),
];
