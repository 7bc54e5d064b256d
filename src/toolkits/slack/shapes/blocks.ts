/** Writes what people see of blocks (Block Kit) in mrkdwn: their texts with links, mentions and emoji, one line for each block. */

type Raw = Readonly<Record<string, unknown>>;

/** Returns an empty string if the blocks show no text. */
export const readBlocks = (blocks: unknown): string => readAll(blocks, 0).join('\n');

/** Whether the blocks are only what Slack makes of a text that somebody typed: the message's text then says the same. */
export const isTyped = (blocks: unknown): boolean =>
  Array.isArray(blocks) && blocks.every((block) => (block as Raw | null)?.type === 'rich_text');

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function readAll(value: unknown, depth: number): string[] {
  if (typeof value !== 'object' || value === null || depth > 10) return [];
  if (Array.isArray(value)) return value.flatMap((one) => readAll(one, depth + 1));
  const raw = value as Raw;
  const type = textOf(raw.type);
  if (Object.hasOwn(parts, type)) return parts[type]?.(raw, depth) ?? [];
  const { text } = raw;
  if (typeof text === 'string') return [type === 'plain_text' || type === 'raw_text' ? escaped(text) : text];
  const lines = Object.values(raw).flatMap((member) => readAll(member, depth + 1));
  const url = textOf(raw.url);
  return url === '' ? lines : [`<${url}|${lines.join(' ')}>`];
}

const parts: Readonly<Record<string, (raw: Raw, depth: number) => string[]>> = {
  rich_text_section: (raw) => [readInline(raw)],
  rich_text_preformatted: (raw) => [`\`\`\`\n${readInline(raw)}\n\`\`\``],
  rich_text_quote: (raw) => [`> ${readInline(raw).replaceAll('\n', '\n> ')}`],
  rich_text_list: ({ elements, style, indent, offset }, depth) => {
    const first = 1 + (Number(offset) || 0);
    const lead = '    '.repeat(Math.min(Number(indent) || 0, 10));
    return readAll(elements, depth + 1).map(
      (item, at) => `${lead}${style === 'ordered' ? `${first + at}.` : '•'} ${item}`,
    );
  },
  // The pictures of a context are decoration.
  context: ({ elements }, depth) =>
    readAll(Array.isArray(elements) ? elements.filter((one) => (one as Raw | null)?.type !== 'image') : [], depth + 1),
  image: ({ title, alt_text, image_url }, depth) => {
    const words = readAll(title, depth + 1).join(' ') || escaped(textOf(alt_text));
    const url = textOf(image_url);
    return words || url ? [url === '' ? words : `<${url}|${words}>`] : [];
  },
  table: ({ rows }, depth) =>
    (Array.isArray(rows) ? rows : []).map((row) =>
      (Array.isArray(row) ? row : []).map((cell) => readAll(cell, depth + 1).join(' ')).join(' | '),
    ),
};

function readInline({ elements }: Raw): string {
  return (Array.isArray(elements) ? elements : []).map((element) => inlineText((element ?? {}) as Raw)).join('');
}

function inlineText(element: Raw): string {
  const text = escaped(textOf(element.text));
  switch (element.type) {
    case 'link':
      return `<${textOf(element.url)}${text === '' ? '' : `|${text}`}>`;
    case 'user':
      return `<@${textOf(element.user_id)}>`;
    case 'usergroup':
      return `<!subteam^${textOf(element.usergroup_id)}>`;
    case 'channel':
      return `<#${textOf(element.channel_id)}>`;
    case 'broadcast':
      return `<!${textOf(element.range)}>`;
    case 'emoji':
      return `:${textOf(element.name)}:`;
    case 'date':
      return escaped(textOf(element.fallback));
    default:
      return styled(text, (element.style ?? {}) as Raw);
  }
}

function styled(text: string, { bold, italic, strike, code }: Raw): string {
  const [, before = '', words = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? [];
  if (words === '') return text;
  const marks = [code && '`', strike && '~', italic && '_', bold && '*'].filter((mark) => typeof mark === 'string');
  return `${before}${marks.reduce((inner, mark) => `${mark}${inner}${mark}`, words)}${after}`;
}
