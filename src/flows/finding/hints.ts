/** The part of a system message about tools, before a model answers. */
import type { FoundTool, HintRequest, HintTier, ToolHints } from '../../domain/discovery.js';
import type { Library } from './library.js';
import { type Findings, type SearchQuestion, searchReach, toHit } from './search.js';
import { matchTokens } from './token-match.js';

const defaultLimit = 10;
const maxHints = 30;

export interface HintQuestion extends Omit<SearchQuestion, 'query' | 'limit'>, HintRequest {
  /** Whether the caller sees only the meta-tools. */
  readonly byMetaTools: boolean;
}

export async function hintsFor(question: HintQuestion, library: Library): Promise<ToolHints> {
  const limit = Math.max(1, Math.min(maxHints, Math.floor(question.limit ?? defaultLimit)));
  const { text, reach, mode } = question;
  if (reach.entries.length === 0) return { text: '', tools: [], tier: 'none' };
  const findings = await searchReach({ ...question, query: text, limit }, library);
  const tools = (found: Findings['hits']): FoundTool[] => found.map((hit) => hit.found);
  if (findings.tier === 'exact') return answer('exact', tools(findings.hits), question);
  if (mode === 'chat' && findings.tier === 'semantic' && findings.answer === 'these')
    return answer('capability', tools(findings.hits), question, findings.hint);
  const byTokens = matchTokens(text, reach.entries, limit).map(({ entry, score }) => toHit(entry, score, [], {}).found);
  if (byTokens.length > 0) return answer('token', byTokens, question, mode === 'chat' ? findings.hint : undefined);
  if (mode === 'recipe') return { text: '', tools: [], tier: 'none' };
  const left =
    findings.hits.length > 0 ? tools(findings.hits) : reach.entries.map((one) => toHit(one, 0, [], {}).found);
  return answer('fallback', left.slice(0, limit), question, findings.hint);
}

const openings: Readonly<Record<Exclude<HintTier, 'none'>, string>> = {
  exact: 'The tools that are named here:',
  capability: 'Tools that do what is asked here, best first:',
  token: 'Tools whose names match the words here, best first:',
  fallback: 'No tool clearly does what is asked here. Some that you have:',
};

function answer(
  tier: Exclude<HintTier, 'none'>,
  tools: readonly FoundTool[],
  { byMetaTools }: HintQuestion,
  note?: string,
): ToolHints {
  const lines = [
    openings[tier],
    ...tools.map(({ name, signature, summary }) => `- ${name}${signature}${summary === '' ? '' : ` — ${summary}`}`),
    ...(byMetaTools ? ['Call them with call_tool; search_tools finds what is not listed here.'] : []),
    ...(tier === 'fallback' ? ['Use one only if it does what the person wants; otherwise say that you cannot.'] : []),
    ...(note === undefined ? [] : [note]),
  ];
  return { text: lines.join('\n'), tools, tier };
}
