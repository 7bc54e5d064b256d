/** Google's OAuth scopes, by what they allow. Each tool names the narrowest scope that its requests need. */
const scope = <const Name extends string>(name: Name) => `https://www.googleapis.com/auth/${name}` as const;

export const scopes = {
  gmailRead: scope('gmail.readonly'),
  gmailSend: scope('gmail.send'),
  gmailCompose: scope('gmail.compose'),
  gmailModify: scope('gmail.modify'),
  spreadsheetsRead: scope('spreadsheets.readonly'),
  spreadsheets: scope('spreadsheets'),
  driveNames: scope('drive.metadata.readonly'),
  eventsRead: scope('calendar.events.readonly'),
  events: scope('calendar.events'),
  calendarListRead: scope('calendar.calendarlist.readonly'),
  freeBusy: scope('calendar.freebusy'),
} as const;

const gmailAll = [scopes.gmailRead, scopes.gmailSend, scopes.gmailCompose];

export const gmailScopes: readonly string[] = [...gmailAll, scopes.gmailModify];
export const workspaceScopes: readonly string[] = Object.values(scopes);

/** Scopes that a wider one includes: an account may have granted more than it was asked for. */
export const impliedScopes: Readonly<Record<string, readonly string[]>> = {
  'https://mail.google.com/': gmailScopes,
  [scopes.gmailModify]: gmailAll,
  [scopes.gmailCompose]: [scopes.gmailSend],
  [scope('drive')]: [scopes.driveNames, scopes.spreadsheets, scopes.spreadsheetsRead],
  [scope('drive.readonly')]: [scopes.driveNames, scopes.spreadsheetsRead],
  [scope('drive.metadata')]: [scopes.driveNames],
  [scopes.spreadsheets]: [scopes.spreadsheetsRead],
  [scope('calendar')]: [scopes.events, scopes.eventsRead, scopes.calendarListRead, scopes.freeBusy],
  [scope('calendar.readonly')]: [scopes.eventsRead, scopes.calendarListRead, scopes.freeBusy],
  [scopes.events]: [scopes.eventsRead],
  [scope('calendar.calendarlist')]: [scopes.calendarListRead],
  // Requested by their short names, granted by their long ones.
  [scope('userinfo.email')]: ['email'],
  [scope('userinfo.profile')]: ['profile'],
};
