/**
 * Untrusted text, as a person should see it. Characters that hide, reorder or imitate are shown as `\u{…}`, and a
 * tool's definition is scanned for text that targets a model rather than its user.
 *
 * Findings are reported to the operator and nothing is removed: an altered definition could not be compared with the
 * one that was agreed to. The findings prove nothing; the pin of the definition is what protects.
 */

export type HiddenKind = 'control' | 'bidi' | 'invisible' | 'space' | 'private';

export interface HiddenCharacter {
  readonly kind: HiddenKind;
  /** `\u{200b}` */
  readonly code: string;
  /** Offset in UTF-16 units. */
  readonly index: number;
}

/**
 * Everything without a shape: controls, formats (bidi, zero-width, tags, soft hyphen), variation selectors and other
 * default-ignorables, all spaces but the ordinary one, fillers, private use, unpaired surrogates.
 */
const hidden =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}|[\ufdd0-\ufdef]|\p{Noncharacter_Code_Point}/gu;
const bidi = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
/** One selector after a pictograph, or a joiner between two, is part of an ordinary emoji. */
const beforeSelector = /\p{Extended_Pictographic}$/u;
const beforeJoiner = /\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?$/u;

export interface VisibleOptions {
  /** Keep line ends and tabs: for multi-line texts, never for names or log lines. */
  readonly keepLines?: boolean;
}

/** Returns the hidden characters of a text, in order. Those of ordinary emoji do not count. */
export function hiddenCharacters(text: string, { keepLines = false }: VisibleOptions = {}): HiddenCharacter[] {
  const found: HiddenCharacter[] = [];
  for (const match of text.matchAll(hidden)) {
    const [character] = match;
    if (keepLines && /[\n\r\t]/.test(character)) continue;
    if (partOfEmoji(text, match.index, character)) continue;
    found.push({ kind: getKind(character), code: getCode(character), index: match.index });
  }
  return found;
}

/**
 * Returns the text with hidden characters escaped. Visible text is unchanged, so escaping twice gives the same text.
 */
export function visibleText(text: string, options: VisibleOptions = {}): string {
  const parts: string[] = [];
  let from = 0;
  for (const { code, index } of hiddenCharacters(text, options)) {
    parts.push(text.slice(from, index), code);
    from = index + ((text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1);
  }
  parts.push(text.slice(from));
  return parts.join('');
}

/** Returns the start of a text, at most `max` characters, with its lines and with hidden characters escaped. */
export function visibleStart(text: string, max: number): string {
  const shown = visibleText(text, { keepLines: true });
  return shown.length > max ? `${shown.slice(0, max)}…` : shown;
}

function partOfEmoji(text: string, index: number, character: string): boolean {
  // At most a pictograph, a skin tone and a selector precede it.
  const before = text.slice(Math.max(0, index - 5), index);
  if (character === '\ufe0f' || character === '\ufe0e') return beforeSelector.test(before);
  if (character !== '\u200d') return false;
  return beforeJoiner.test(before) && /^\p{Extended_Pictographic}/u.test(text.slice(index + 1, index + 3));
}

function getKind(character: string): HiddenKind {
  if (bidi.test(character)) return 'bidi';
  if (/\p{Cc}/u.test(character)) return 'control';
  if (/[\p{Zs}\p{Zl}\p{Zp}\u2800]/u.test(character)) return 'space';
  if (/[\p{Co}\p{Cs}]/u.test(character)) return 'private';
  return 'invisible';
}

function getCode(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

export type FlagKind = 'hidden' | 'look_alike' | 'instruction' | 'link' | 'markup' | 'encoded' | 'padding' | 'long';

export interface Flag {
  readonly kind: FlagKind;
  /** JSON Pointer into the definition. */
  readonly path: string;
  /** The matching text, escaped, at most 120 characters. */
  readonly excerpt: string;
}

const maxFlags = 100;
/** The number of characters that are scanned; a longer text is flagged as such. */
const scanned = 20_000;
const longText = 4_000;

/** Scans every text of a tool's definition (canonical JSON): names, titles, descriptions, enums, defaults, examples. */
export function scanDefinition(definition: string): Flag[] {
  const flags: Flag[] = [];
  const visit = (value: unknown, path: string): void => {
    if (flags.length >= maxFlags) return;
    if (typeof value === 'string') {
      flags.push(...scanText(value).map(({ kind, excerpt }) => ({ kind, path: path || '/', excerpt })));
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(item, `${path}/${index}`);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        const place = `${path}/${visibleText(key.slice(0, 80)).replaceAll('~', '~0').replaceAll('/', '~1')}`;
        if (!schemaAddress.has(key) || typeof member !== 'string') visit(member, place);
        flags.push(...scanText(key).map(({ kind, excerpt }) => ({ kind, path: place, excerpt })));
      }
    }
  };
  visit(JSON.parse(definition), '');
  return flags.slice(0, maxFlags);
}

/** Keywords whose values are always URLs. */
const schemaAddress = new Set(['$schema', '$id', '$ref']);

/** Returns at most one flag of each kind. */
export function scanText(whole: string): readonly Omit<Flag, 'path'>[] {
  const text = whole.slice(0, scanned);
  const flags: Omit<Flag, 'path'>[] = [];
  const add = (kind: FlagKind, index: number): void => {
    const start = Math.max(0, index - 20);
    flags.push({ kind, excerpt: visibleText(text.slice(start, start + 120)).slice(0, 120) });
  };
  const [first] = hiddenCharacters(text, { keepLines: true });
  if (first !== undefined) add('hidden', first.index);
  // The comparison uses the text without hidden characters, with lookalike letters normalised.
  const plain = text.replace(hidden, (character) => (/\s/u.test(character) ? ' ' : '')).normalize('NFKC');
  if (imitates(text)) add('look_alike', 0);
  for (const [kind, patterns] of patternsByKind) {
    const match = findFirstMatch(patterns, text) ?? (findFirstMatch(patterns, plain) === undefined ? undefined : 0);
    if (match !== undefined) add(kind, match);
  }
  const encoded = encodedText(text);
  if (encoded !== undefined) add('encoded', encoded);
  if (whole.length > longText) add('long', 0);
  return flags;
}

/**
 * Whether a text has letters of other alphabets, or mathematical ones, in place of Latin letters, or many marks on one
 * letter.
 */
export function imitates(text: string): boolean {
  if (/\p{M}{4}/u.test(text)) return true;
  for (const [word] of text.matchAll(/[\p{L}\p{N}\p{M}_-]+/gu)) {
    if (
      /\p{Script=Latin}/u.test(word) &&
      /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u.test(word)
    ) {
      // `10 µm`, `Δt`: one letter as a unit or symbol is ordinary.
      if (/\p{Script=Latin}{2}/u.test(word) || /\p{Script=Cyrillic}/u.test(word)) return true;
    }
  }
  return /[\uff21-\uff3a\uff41-\uff5a\u{1d400}-\u{1d7ff}]/u.test(text);
}

const instructions: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass|skip)\b.{0,40}\b(?:previous|prior|above|earlier|all|an[y]|other|your|safety|system)\b.{0,30}\b(?:instruction|rule|prompt|message|guideline|context|polic|confirmation|approval|restriction)/is,
  /\b(?:ignore|disregard|forget)\b.{0,20}\b(?:everything|previous|prior|above)\b/is,
  /\b(?:do not|don't|never|without)\b.{0,30}\b(?:tell|telling|inform|mention|reveal|show|notify|ask|asking|alert|disclos)\w*\b.{0,30}\b(?:user|human|person|anyone|anybody|them|operator)\b/is,
  /\b(?:before|after|when(?:ever)?|every time|each time|prior to)\b.{0,40}\b(?:us(?:e|ing)|call(?:ed|ing|s)?|invok\w+|run(?:ning)?)\b.{0,40}\b(?:tool|function)s?\b.{0,80}\b(?:read|call|send|pass|first|include|must|fetch|use|run|forward)\b/is,
  /\bany other tool\b|\bother tools?\b.{0,40}\b(?:arguments|results|output|must|instead)\b/is,
  /\b(?:this tool|it)\s+(?:replaces|supersedes|overrides)\b|\balways\s+(?:use|call|prefer|choose|invoke|run)\s+this\b|\binstead of\s+(?:the\s+)?(?:other|an[y] other|official|original)\b/i,
  /\bpre-?(?:approved|authori[sz]ed)\b|\b(?:user|human|admin\w*|operator)\b.{0,30}\b(?:has|have|already)\b.{0,30}\b(?:approv|authori[sz]|consent|agreed|confirm|allow|permit)/is,
  /\b(?:must|should|need to|have to|required to|please)\b.{0,60}\b(?:forward|send|pass|include|upload|post|copy|leak|share|exfiltrate)\b.{0,60}\b(?:key|token|password|secret|credential|conversation|history|prompt|contents?|file|env)/is,
  /\bexfiltrat\w*/i,
  /\b(?:you are now|act as|pretend (?:to be|you)|developer mode|jailbreak|new (?:rules|instructions|system prompt)|system prompt|as an? (?:ai|language model))\b/i,
  /(?:^|\n)\s*(?:system|assistant|human|user|developer|admin|important|instructions?)\s*[:>]/i,
  /\b(?:system|admin\w*|developer|important)\s*(?:override|message|notice|instruction|note)\b/i,
  /"role"\s*:\s*"(?:system|assistant|developer|tool|user)"/i,
  /<\|[^|>\n]{1,40}\|>|\[\/?(?:INST|SYS|SYSTEM)\]|<<\/?SYS>>|```\s*(?:system|assistant|instructions?)\b|^#{1,6}\s*(?:system|instructions?)\b/im,
  /<\/?\s*(?:important|hidden|system|instructions?|secret|admin|assistant|user|tool_?\w*|function\w*|prompt|rules?|critical|override)\b[^>]{0,80}>/i,
  /\{\{[^}]{0,80}\}\}|\$\{[^}]{0,80}\}/,
  /~\/\.\w+|\bid_(?:rsa|ed25519)\b|\/etc\/(?:passwd|shadow)\b|\.(?:ssh|aws|netrc|npmrc|kube|gnupg)\b|(?:^|[\s'"/])\.env\b/i,
  /\b(?:rm -rf|curl|wget|bash -c|powershell|eval\()\s*\S/i,
  /\bcall\s+(?:run_command|send_email|delete_\w+|execute_\w+)\b/i,
];

const patternsByKind: readonly (readonly [FlagKind, readonly RegExp[]])[] = [
  ['instruction', instructions],
  [
    'link',
    [
      /!?\[[^\]]{0,200}\]\s?\([^)]{1,500}\)/,
      /\b(?:javascript|vbscript|data|file):\S/i,
      /\bhttps?:\/\/[^\s"'<>]{1,500}\?[^\s"'<>]{1,500}=/i,
      /\]8;;/,
    ],
  ],
  ['markup', [/<!--|<!\[CDATA\[|<\/?[a-z][a-z0-9_:-]{0,40}(?:\s[^<>]{0,500})?\/?>/i]],
  ['padding', [/[ \t\u00a0]{40}|(?:[ \t]*\r?\n){12}|(.)\1{299}/s]],
];

function findFirstMatch(patterns: readonly RegExp[], text: string): number | undefined {
  for (const pattern of patterns) {
    const index = text.search(pattern);
    if (index >= 0) return index;
  }
  return undefined;
}

/** Finds Base64 or percent-encoding that decodes to text. */
function encodedText(text: string): number | undefined {
  for (const match of text.matchAll(/[A-Za-z0-9+/_-]{16,4096}={0,2}/g)) {
    const decoded = Buffer.from(match[0].replace(/=+$/, ''), 'base64').toString('latin1');
    if (decoded.length >= 10 && /^[\x20-\x7e\s]+$/.test(decoded) && /[a-z]{3}/i.test(decoded)) return match.index;
  }
  const percent = text.search(/(?:%[0-9a-f]{2}){6}|(?:\\x[0-9a-f]{2}){4}|(?:&#x?[0-9a-f]{2,6};){3}/i);
  return percent < 0 ? undefined : percent;
}
