/** The chain: a row that was changed, moved, dropped or inserted is found at its position. */
import { describe, expect, test } from 'vitest';
import type { AuditEvent } from '../domain/audit.js';
import { chainStart } from '../domain/storage.js';
import { type ChainBreak, createChainCheck, seal } from './seal.js';

function chain(length: number): AuditEvent[] {
  const events: AuditEvent[] = [];
  for (let seq = 1; seq <= length; seq += 1) {
    const draft = {
      workspaceId: 'w',
      seq,
      at: `2026-01-01T00:00:0${seq}.000Z`,
      type: 'agent.created',
      actor: { kind: 'agent', id: 'a', name: 'Ada' },
      onBehalfOf: { kind: 'user', id: 'u', name: 'Uli' },
      executionId: 'e',
      tool: 'math.calculate',
      body: { note: `${seq}` },
    } as const;
    events.push({ ...draft, hash: seal(events.at(-1)?.hash ?? chainStart, draft) } as AuditEvent);
  }
  return events;
}

function firstBreak(events: readonly AuditEvent[]): ChainBreak | undefined {
  const check = createChainCheck();
  for (const event of events) {
    const found = check.accept(event);
    if (found) return found;
  }
  return undefined;
}

describe('R-audit: the chain', () => {
  test('is intact as written', () => {
    expect(firstBreak(chain(4))).toBeUndefined();
  });

  test.each<[string, Partial<AuditEvent>]>([
    ['body', { body: { note: 'other' } }],
    ['time', { at: '2020-01-01T00:00:00.000Z' }],
    ['type', { type: 'agent.removed' }],
    ['workspace', { workspaceId: 'x' }],
    ['actor', { actor: { kind: 'agent', id: 'b', name: 'Ada' } }],
    ['person', { onBehalfOf: { kind: 'user', id: 'v', name: 'Uli' } }],
    ['execution', { executionId: 'f' }],
    ['tool', { tool: 'shell.run_command' }],
    ['hash', { hash: 'f'.repeat(64) }],
  ])('shows that the %s of a row was changed', (_, change) => {
    const events = chain(4).map((event) => (event.seq === 2 ? { ...event, ...change } : event));
    expect(firstBreak(events)).toEqual({ seq: 2, problem: 'row 2 was changed' });
  });

  test('detects a row that is missing, duplicated, moved or the wrong first row', () => {
    const [one, two, three, four] = chain(4) as [AuditEvent, AuditEvent, AuditEvent, AuditEvent];
    expect(firstBreak([one, three, four])).toMatchObject({ seq: 2, problem: 'row 2 is missing' });
    expect(firstBreak([one, two, two])).toMatchObject({ seq: 3 });
    expect(firstBreak([two, three])).toMatchObject({ seq: 1 });
    // Renumbered, so that only the hashes can reveal it.
    expect(firstBreak([one, { ...three, seq: 2 }])).toEqual({ seq: 2, problem: 'row 2 was changed' });
  });
});
