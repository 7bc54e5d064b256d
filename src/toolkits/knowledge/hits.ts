/** Hits in the form of the tools' answers, and the scope that a call may see. */
import type { z } from 'zod';
import { defined } from '../../util/defined.js';
import type { Place } from '../../util/extract/elements.js';
import { languageName } from '../../util/extract/languages.js';
import type { Hit, Scope } from './index/index.js';
import type { hits, KnowledgeContext, place } from './shapes.js';

export function getScope(
  { config }: Pick<KnowledgeContext, 'config'>,
  { prefix, ...more }: { prefix?: string | undefined } & Pick<Scope, 'types'> & { language?: string | undefined },
): Scope {
  const { types, language } = more;
  return {
    ...(config.allowed_sources && { allowed: config.allowed_sources }),
    ...(prefix !== undefined && { prefix }),
    ...(types && { types }),
    ...(language !== undefined && { language: languageName(language) }),
  };
}

export function shownHits(found: readonly Hit[]): z.infer<typeof hits> {
  return found.map(({ path, element, snippet, score, line }) => ({
    source: path,
    place: shownPlace(element.place, line),
    type: element.type,
    snippet,
    score: Math.round(score * 10_000) / 10_000,
    ...defined({ language: element.language }),
  }));
}

function shownPlace(found: Place, line: number | undefined): z.infer<typeof place> {
  const { page, lines, heading, sheet, cells, symbol, part } = found;
  return {
    text: placeText(found, line),
    ...defined({
      page,
      lines: lines && [...lines],
      line,
      heading: heading?.length ? [...heading] : undefined,
      sheet,
      cells,
      symbol: symbol && { ...symbol },
      part,
    }),
  };
}

function placeText({ page, lines, heading, sheet, cells, symbol, part }: Place, line: number | undefined): string {
  const span = lines && (lines[0] === lines[1] ? `line ${lines[0]}` : `lines ${lines[0]}–${lines[1]}`);
  const where = [
    symbol && `${symbol.kind} ${symbol.container === undefined ? '' : `${symbol.container}.`}${symbol.name}`,
    page === undefined ? undefined : `page ${page}`,
    sheet === undefined ? undefined : `${sheet}!${cells ?? ''}`,
    line === undefined || span === `line ${line}` ? undefined : `${lines ? 'line' : 'row'} ${line}`,
    span,
    part,
    heading?.length ? `under ${heading.join(' › ')}` : undefined,
  ];
  return where.filter(Boolean).join(', ') || 'the whole source';
}
