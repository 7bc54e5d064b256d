/**
 * What a question says, without what the program adds by itself: where and when it runs, and reminders. A replay in another process must
 * ask the same.
 */
export type ReadMessage =
  | { readonly role: 'assistant'; readonly text: string; readonly callIds: readonly string[] }
  | { readonly role: 'tool'; readonly callIds: readonly string[] };

export interface ReadMessages {
  /** The text of what the program was told first, with everything that it has added. */
  readonly opening: string;
  /** The turns after it. */
  readonly turns: readonly ReadMessage[];
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly tool_use_id?: string;
}

interface Message {
  readonly role: string;
  readonly content: string | readonly Block[];
}

const blocksOf = ({ content }: Message): readonly Block[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

const textOf = (blocks: readonly Block[]): string =>
  blocks.map(({ type, text = '' }) => (type === 'text' ? text : '')).join('');

export function readAsked(body: object): ReadMessages {
  const { messages = [] } = body as { readonly messages?: readonly Message[] };
  const first = messages.findIndex(({ role }) => role === 'assistant');
  const opening = first < 0 ? messages : messages.slice(0, first);
  const turns: ReadMessage[] = [];
  for (const message of messages.slice(opening.length)) {
    const blocks = blocksOf(message);
    if (message.role === 'assistant') {
      const callIds = blocks.flatMap(({ type, id }) => (type === 'tool_use' && id !== undefined ? [id] : []));
      turns.push({ role: 'assistant', text: textOf(blocks), callIds });
      continue;
    }
    const callIds = blocks.flatMap(({ tool_use_id: id }) => (id === undefined ? [] : [id]));
    if (callIds.length > 0) turns.push({ role: 'tool', callIds });
  }
  const asked = opening.filter(({ role }) => role === 'user').map((message) => textOf(blocksOf(message)));
  return { opening: asked.join('\n'), turns: joinTurns(turns) };
}

/** The program may tell the parts of one answer, and its results, one by one. */
function joinTurns(turns: readonly ReadMessage[]): readonly ReadMessage[] {
  const joined: ReadMessage[] = [];
  for (const turn of turns) {
    const last = joined.at(-1);
    const callIds = [...(last?.callIds ?? []), ...turn.callIds];
    if (last?.role === 'tool' && turn.role === 'tool') joined[joined.length - 1] = { role: 'tool', callIds };
    else if (last?.role === 'assistant' && turn.role === 'assistant')
      joined[joined.length - 1] = { role: 'assistant', text: last.text + turn.text, callIds };
    else joined.push(turn);
  }
  return joined;
}
