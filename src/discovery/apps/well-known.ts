/**
 * Apps that people name in requests whether or not a catalogue has them: without this list, `open a ticket in jira` is only a request
 * with a word that no tool knows.
 */
import { stopWords } from '../text/vocabulary-data.js';
import { createAppNames } from './app-names.js';

export interface NamedApp {
  readonly name: string;
  /** What it is part of: a toolkit may be called by that alone. */
  readonly suite?: string;
  /** The words of the text that name it, as they stand there. */
  readonly words: readonly string[];
}

export interface WellKnownApps {
  /** The apps that a text names as the place where something is done, not as what it is about (`news about Trello`). */
  find(text: string): readonly NamedApp[];
}

const coined = `Airtable, Asana, Basecamp, Bitbucket, Calendly, Canva, ClickUp, Cloudflare, Datadog, Discord, DocuSign, Dropbox,
  Eventbrite, Evernote, Facebook, Figma, Firebase, Freshdesk, GitHub, GitLab, Gmail, Grafana, Heroku, HubSpot, Instagram, Jira, Klaviyo,
  LinkedIn, Mailchimp, MailerLite, Mailgun, Mattermost, Miro, Mixpanel, MongoDB, Netlify, OneDrive, OneNote, PagerDuty, PayPal,
  Pinterest, Pipedrive, PostHog, QuickBooks, Reddit, Salesforce, SendGrid, SharePoint, Shopify, Snapchat, SoundCloud, Spotify, Strava,
  Supabase, SurveyMonkey, Telegram, TikTok, Todoist, Trello, Twilio, Twitch, Twitter, Typeform, Vercel, Vimeo, Webflow, WhatsApp,
  WooCommerce, WordPress, Xero, YouTube, Zapier, Zendesk, Zoho`;

/** Words of the language as well: `what is the outlook for tomorrow`. */
const ordinary = 'Confluence, Linear, Messenger, Notion, Outlook, Sentry, Slack, Snowflake, Stripe, Teams, Zoom';

const suites: Readonly<Record<string, string>> = {
  'Google Workspace':
    'Google Calendar, Google Contacts, Google Docs, Google Drive, Google Forms, Google Sheets, Google Slides, Google Tasks',
  'Microsoft 365': 'Microsoft Teams, Microsoft Excel, Microsoft Word, Microsoft To Do, Microsoft Planner',
};

/** From this certainty on, an app is meant and not only mentioned. */
const sure = 0.7;
const never = () => false;
const articles = new Set(['a', 'an', 'the']);
const openers = new Set([...articles, ...'my our your in on to via using from into through with'.split(' ')]);

export function createWellKnownApps(): WellKnownApps {
  const apps: Pick<NamedApp, 'name' | 'suite'>[] = [
    ...split(`${coined}, ${ordinary}`).map((name) => ({ name })),
    ...Object.entries(suites).flatMap(([suite, names]) => split(names).map((name) => ({ name, suite }))),
  ];
  const isOrdinary = new Set(split(ordinary));
  const names = createAppNames();
  for (const [at, { name }] of apps.entries()) {
    names.add(at, name, name);
    const short = shorten(name);
    if (short !== name) names.add(at, short, short);
  }
  return {
    find(text) {
      const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
      return names
        .mentions(words, never)
        .filter(({ confidence }) => confidence >= sure)
        .flatMap(({ apps: [at = -1], from, to }) => {
          const app = apps[at];
          if (app === undefined || (isOrdinary.has(app.name) && !standsLikeName(words, from))) return [];
          return [{ ...app, words: words.slice(from, to) }];
        });
    },
  };
}

/** `my outlook calendar` and `post it in slack`, not `the outlook for tomorrow` or `cut me some slack`. */
function standsLikeName(words: readonly string[], at: number): boolean {
  const opener = (words[at - 1] ?? '').toLowerCase();
  const next = words[at + 1]?.toLowerCase();
  return openers.has(opener) && (next === undefined ? !articles.has(opener) : !stopWords.has(next));
}

/** What a toolkit with the tools of the app may be called: by its name, by that without the maker (`excel`), or by its suite. */
export const listToolkitNames = ({ name, suite }: NamedApp): readonly string[] =>
  suite === undefined ? [name] : [name, name.replace(/^(?:Google|Microsoft) /, ''), suite];

/** `my google sheet` and `in ms teams` name the same apps. */
const shorten = (name: string): string => name.replace(/^(Google .+)s$/, '$1').replace(/^Microsoft /, 'MS ');

const split = (list: string): readonly string[] => list.split(/,\s+/);
