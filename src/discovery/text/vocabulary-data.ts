/**
 * English as data: stop words, verbs in classes, short forms and near-synonyms of the things that tools act on. General
 * knowledge of the language of APIs, not of any one catalogue.
 */

/** Words of a request that name no tool. */
export const stopWords: ReadonlySet<string> = words(`
  a an the this that these those there here it its i me my we us our you your he she his her they them their who whom whose
  which what when where why how is are was were be been being am do does did done doing have has had having will would
  shall should can could may might must and or but if then else than so as of at by for from in into on onto to with
  within without via using use used through over under up out off about between during before after again further once
  please want wants need needs like let lets ll re ve im id not no nor only own same too very just also some any each both
  few more most other such per etc eg ie able help given specific particular certain existing based one ones
  whether optionally required optional alternative tool tools api endpoint s`);

/** Words that start a restriction of a name or a request: `by id`, `for a repository`, `without deleting`. */
export const qualifiers: ReadonlySet<string> = words(
  'by for in from of with without on at to into using via before after if when so within per as since because',
);

/** Words that add little to their noun. */
export const weakWords: ReadonlySet<string> = words(`
  new current full detailed detail details info information available target multiple single individual complete all
  entire different various related now today my data`);

/** Words that precede an object. */
export const articles: ReadonlySet<string> = words('a an the this that these my our your its their of each every');

/** Classes of verbs. The first word names the class; the rest are synonyms. */
export const verbClasses: readonly (readonly string[])[] = `
  create add make generate insert register build compose draft setup establish initiate
  list all enumerate browse show
  get fetch retrieve read view obtain show see check inspect describe detail display
  search find query lookup filter discover locate look resolve finder
  update edit modify change set patch rename adjust replace put revise configure alter
  delete remove destroy erase clear drop trash purge discard forget
  send post publish deliver reply share notify email message
  upload attach import
  download export
  move transfer relocate
  copy duplicate clone replicate
  archive
  close complete resolve finish finalize
  run execute trigger start launch invoke begin
  stop cancel pause terminate abort end halt
  enable activate
  disable deactivate
  assign associate link attach grant apply
  unassign detach unlink revoke dissociate unassociate remove
  invite
  merge combine
  validate verify check test confirm
  subscribe follow watch
  unsubscribe unfollow unwatch
  approve accept
  reject decline deny
  restore undelete recover unarchive
  lock
  unlock
  upsert
  count`
  .trim()
  .split('\n')
  .map((line) => line.trim().split(' '));

/**
 * Verbs that people use in requests but that tools are seldom named by, with the classes they mean. They count as verbs
 * only at the start of a request: `create_review` reviews nothing.
 */
export const askedVerbs: Readonly<Record<string, readonly string[]>> = {
  'list get': list(`
    review audit examine study analyze analyse monitor explore preview access pull grab collect gather hydrate poll
    understand know learn compare view extract investigate diagnose debug inventory assess evaluate measure`),
  'list get search': list('identify determine verify validate confirm ensure check detect track'),
  create: list('write save submit provision reserve scaffold append schedule'),
  update: list('organize organise reschedule tweak correct fix refresh sync toggle bump extend resize prioritize'),
  send: list('forward dispatch announce respond broadcast ping'),
  delete: list('wipe uninstall unpublish'),
};

/** The same for words that are more often nouns: verbs only before an article (`book a room`, not `book search`). */
export const askedNouns: Readonly<Record<string, readonly string[]>> = {
  create: list('log record store book file raise order open draft'),
  'update assign': list('mark label tag flag'),
  send: list('answer text'),
};

/** The same for two words. */
export const askedPhrases: Readonly<Record<string, readonly string[]>> = {
  create: ['set up', 'sign up', 'spin up'],
  'search get list': ['look up', 'look for', 'pull up'],
  enable: ['turn on', 'switch on'],
  disable: ['turn off', 'switch off'],
  delete: ['clean up', 'get rid'],
  stop: ['shut down'],
  restore: ['roll back'],
  run: ['kick off'],
  unsubscribe: ['opt out'],
};

/** Verbs, some with the next word, that name no single act. To manage labels, one has to see them first. */
export const vagueVerbs: ReadonlySet<string> = new Set([
  ...list('manage handle administer oversee organize organise'),
  'work with',
]);

/** Pairs of classes whose verbs are used for each other, and how much of a match that is. */
export const nearClasses: readonly (readonly [string, string, number])[] = [
  ['list', 'get', 0.6],
  ['list', 'search', 0.7],
  ['get', 'search', 0.6],
  ['create', 'upsert', 0.7],
  ['update', 'upsert', 0.7],
  ['create', 'send', 0.4],
  ['create', 'subscribe', 0.5],
  ['delete', 'unsubscribe', 0.5],
  ['create', 'upload', 0.4],
  ['create', 'assign', 0.5],
  ['create', 'run', 0.4],
  ['send', 'run', 0.4],
  ['download', 'create', 0.4],
  ['download', 'run', 0.4],
  ['update', 'run', 0.4],
  ['archive', 'update', 0.4],
  ['send', 'upload', 0.4],
  ['upload', 'assign', 0.4],
  ['create', 'copy', 0.3],
  ['create', 'invite', 0.5],
  ['delete', 'unassign', 0.7],
  ['delete', 'archive', 0.4],
  ['delete', 'stop', 0.4],
  ['update', 'assign', 0.4],
  ['update', 'move', 0.4],
  ['update', 'enable', 0.4],
  ['update', 'disable', 0.4],
  ['update', 'close', 0.4],
  ['get', 'download', 0.6],
  ['get', 'count', 0.4],
  ['get', 'validate', 0.5],
  ['search', 'validate', 0.5],
  ['list', 'validate', 0.4],
  ['list', 'download', 0.3],
  ['list', 'count', 0.3],
];

/** Words that mean the same thing in the language of APIs; each line is one meaning. */
export const synonyms: readonly (readonly string[])[] = `
  repository repo
  organization organisation org
  environment env
  variable var
  configuration config settings setting preference
  information info
  document doc
  message msg
  image picture photo pic
  user member people person
  contact lead
  customer client
  folder directory
  attribute property field
  column field
  record row entry
  email mail
  meeting event appointment
  note memo
  tag label
  ticket issue
  task todo
  webhook hook
  authentication auth
  authorization auth
  statistics stats metric analytics
  report analytics
  profile account
  database db
  schedule scheduled calendar
  identifier id
  owner assignee
  history log activity
  phone telephone
  price pricing cost
  picklist dropdown
  response reply answer
  workspace team
  card
  video clip
  article post
  parameter param
  subscriber member
  channel conversation
  status state
  template
  stage pipeline
  company organization account
  opportunity deal
  spreadsheet sheet worksheet
  slide presentation
  song track
  balance credit
  bulk batch
  access permission
  diff change
  available availability`
  .trim()
  .split('\n')
  .map((line) => line.trim().split(' '));

/** Short forms that stand for several words. */
export const shortForms: Readonly<Record<string, string>> = {
  pr: 'pull request',
  prs: 'pull request',
  mr: 'merge request',
  mrs: 'merge request',
  dm: 'direct message',
  dms: 'direct message',
  ci: 'pipeline workflow',
  kb: 'knowledge base',
  crm: 'contact',
  ssh: 'ssh key',
  faq: 'question',
};

function words(text: string): ReadonlySet<string> {
  return new Set(list(text));
}

function list(text: string): string[] {
  return text.trim().split(/\s+/);
}
