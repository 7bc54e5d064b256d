/**
 * What in a request is written like the name of a tool: `GITHUB_CREATE_ISSUE`, `github.createIssue`,
 * `composio-github_create_issue`, `work-gmail__send_gmail_message`. Ordinary words are not, and so never find a tool by
 * accident: only `quoted` ones, or one that is all of the request, are taken at their word.
 */
import { squash } from '../text/split-words.js';

export interface WrittenName {
  readonly written: string;
  /** Its letters, without the prefix of the legacy form and the slug of the model's form. */
  readonly key: string;
  /** The connection's slug in the form a model uses. */
  readonly slug?: string | undefined;
  /** Ends of the name, at least two words each: what is left if its beginning is mistyped or unknown. */
  readonly ends: readonly string[];
  /** Whether it may be mistyped; a word that is only quoted may not. */
  readonly mayBeMistyped: boolean;
}

const mostNames = 24;
const tokenShape = /`[^`]+`|"[^"\s]+"|[^\s"`,;()<>[\]{}|]+/g;
const shaped = /[\p{L}\p{N}](?:_+|\.|::|\/)[\p{L}\p{N}]|\p{Ll}\p{Lu}|^composio-/u;
const leastMistyped = 8;

export function writtenNames(text: string): WrittenName[] {
  const tokens = (text.match(tokenShape) ?? []).map((token) => token.replace(/^[`"'.:!?]+|[`"'.:!?]+$/g, ''));
  const found: WrittenName[] = [];
  for (const [at, token] of tokens.entries()) {
    if (found.length >= mostNames) break;
    const quoted = text.includes(`\`${token}\``) || text.trim() === token;
    if (!quoted && !shaped.test(token)) continue;
    found.push(read(token, shaped.test(token)));
    const next = tokens[at + 1];
    const before = tokens[at - 1];
    if (/_/.test(token) && next !== undefined) found.push(read(`${token}_${next}`, true));
    if (/_/.test(token) && before !== undefined) found.push(read(`${before}_${token}`, true));
  }
  const whole = squash(text);
  if (tokens.length > 1 && tokens.length <= 8)
    found.push({ written: text, key: whole, ends: [], mayBeMistyped: false });
  return found;
}

function read(token: string, isShaped: boolean): WrittenName {
  const bare = token.replace(/^composio-/i, '');
  const cut = bare.indexOf('__');
  const name = cut > 0 ? bare.slice(cut + 2) : bare;
  const parts = name.split(/[_\-./]+|::/).filter((part) => part !== '');
  const ends = parts.slice(1, -1).map((_, at) => squash(parts.slice(at + 1).join('')));
  const key = squash(name);
  return {
    written: token,
    key,
    ...(cut > 0 && { slug: bare.slice(0, cut) }),
    ends,
    mayBeMistyped: isShaped && key.length >= leastMistyped,
  };
}
