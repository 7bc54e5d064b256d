// What people ask of an assistant at work: code, tickets, customers, shops, operations. See tasks-people.js.
import { task } from './task.js';

const place = { owner: 'acme', repo: 'site' };
const bug = { ...place, title: 'The login page is blank', labels: ['bug'] };
const openTickets = { jql: 'project = WEB and statusCategory != Done' };

export const workTasks = [
  task(
    'Open a bug in GitHub for acme/site: the login page is blank',
    'create an issue in a GitHub repository',
    ['GITHUB_CREATE_AN_ISSUE', bug],
    ['GITHUB_ISSUES_CREATE', bug],
  ),
  task('Merge pull request 12 of acme/site on GitHub', 'merge a pull request', [
    'GITHUB_MERGE_A_PULL_REQUEST',
    { ...place, pull_number: 12 },
  ]),
  task('Ask dora to review GitHub PR 12 in acme/site', 'request reviewers for a pull request', [
    'GITHUB_REQUEST_REVIEWERS_FOR_A_PULL_REQUEST',
    { ...place, pull_number: 12, reviewers: ['dora'] },
  ]),
  task('The build 9981 of acme/site failed: run only its failed jobs again', 're-run failed jobs of a workflow run', [
    'GITHUB_RE_RUN_FAILED_JOBS_FROM_A_WORKFLOW_RUN',
    { ...place, run_id: 9981 },
  ]),
  task('Give Jira WEB-7 to Gus (account 5b10)', 'assign a Jira issue to a user', [
    'JIRA_ASSIGN_ISSUE',
    { issueIdOrKey: 'WEB-7', accountId: '5b10' },
  ]),
  task(
    'Which Jira tickets of project WEB are open?',
    'search Jira issues with JQL',
    ['JIRA_SEARCH_FOR_ISSUES_USING_JQL_GET', openTickets],
    ['JIRA_SEARCH_FOR_ISSUES_USING_JQL_POST', openTickets],
  ),
  task('Write on the Linear issue HEL-3 that I take it', 'create a comment on a Linear issue', [
    'LINEAR_CREATE_LINEAR_COMMENT',
    { issue_id: 'HEL-3', body: 'I take it.' },
  ]),
  task('Set the due date of the Trello card 5f0 to 1 December', 'update the due date of a Trello card', [
    'TRELLO_UPDATE_CARDS_DUE_BY_ID_CARD',
    { idCard: '5f0', value: '2026-12-01' },
  ]),
  task('Archive every card in the Trello list 77b', 'archive all cards in a Trello list', [
    'TRELLO_ADD_LISTS_ARCHIVE_ALL_CARDS_BY_ID_LIST',
    { idList: '77b' },
  ]),
  task('Show me the Asana tasks of project 120', 'get tasks from a project in Asana', [
    'ASANA_GET_TASKS_FROM_A_PROJECT',
    { project_gid: '120' },
  ]),
  task('Tag the ClickUp task 8xy as urgent', 'add a tag to a task in ClickUp', [
    'CLICKUP_ADD_TAG_TO_TASK',
    { task_id: '8xy', tag_name: 'urgent' },
  ]),
  task('Move item 44 on monday.com to the group done', 'move an item to another group in Monday', [
    'MONDAY_MOVE_ITEM_TO_GROUP',
    { item_id: 44, group_id: 'done' },
  ]),
  task(
    'These two HubSpot contacts are the same person: keep 101 and fold 102 into it',
    'merge two contacts in HubSpot',
    ['HUBSPOT_MERGE_TWO_CONTACTS_OF_SAME_TYPE', { primaryObjectId: '101', objectIdToMerge: '102' }],
  ),
  task('Subscribe eve@example.com to the Mailchimp audience a1', 'add a member to a list in Mailchimp', [
    'MAILCHIMP_ADD_MEMBER_TO_LIST',
    { list_id: 'a1', email_address: 'eve@example.com', status: 'subscribed' },
  ]),
  task('End the Stripe subscription sub_9 now', 'cancel a subscription in Stripe', [
    'STRIPE_CANCEL_SUBSCRIPTION',
    { subscription_id: 'sub_9', invoice_now: true },
  ]),
  task('Which invoices of customer cus_4 are unpaid in Stripe?', 'list invoices of a Stripe customer', [
    'STRIPE_LIST_INVOICES',
    { customer: 'cus_4', status: 'open' },
  ]),
  task('What did the customer 7001 order in our Shopify shop?', 'get the orders of a customer in Shopify', [
    'SHOPIFY_GET_CUSTOMER_ORDERS',
    { customer_id: '7001' },
  ]),
  task('Note on PagerDuty incident PX1 that the database is back', 'add a note to an incident in PagerDuty', [
    'PAGERDUTY_POST_INCIDENT_NOTE_USING_ID',
    { id: 'PX1', note__content: 'The database is back.' },
  ]),
  task('Tell Sentry that version 2.1 of web is out, organisation acme', 'create a release in Sentry', [
    'SENTRY_CREATE_RELEASE_FOR_ORGANIZATION',
    { organization_id_or_slug: 'acme', version: '2.1', projects: ['web'] },
  ]),
  task('Who is off this week according to BambooHR?', "list who's out in BambooHR", [
    'BAMBOOHR_GET_A_LIST_OF_WHO_S_OUT',
    { companyDomain: 'acme', start: '2026-11-23', end: '2026-11-27' },
  ]),
  task('Answer Zendesk ticket 302 that we are looking into it', 'reply to a Zendesk ticket', [
    'ZENDESK_REPLY_ZENDESK_TICKET',
    { ticket_id: 302, body: 'We are looking into it.', public: true },
  ]),
  task('Add a record to the Leads table of Airtable base app1: Finn, finn@example.com', 'create a record in Airtable', [
    'AIRTABLE_CREATE_RECORD',
    { baseId: 'app1', tableIdOrName: 'Leads', fields: { Name: 'Finn', Email: 'finn@example.com' } },
  ]),
];
