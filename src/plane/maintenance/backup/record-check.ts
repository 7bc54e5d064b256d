/** Follows the chain of the record through the rows of a copy. */
import { createChainCheck } from '../../../audit/index.js';
import type { ChainPoint } from '../../../domain/chain.js';
import { chainStart } from '../../../domain/storage.js';
import { type CopyRow, toEvent } from '../../../storage/index.js';

type AuditRow = Parameters<typeof toEvent>[0];

interface Head {
  readonly slug: string;
  readonly seq: number;
  readonly hash: string;
}

export interface RecordCheck {
  /** A row of any table. Returns what is wrong with the record, if this row shows it. */
  accept(table: string, columns: readonly string[], row: CopyRow): string | undefined;
  /** Returns what is wrong with the record, after the last row. */
  end(): string | undefined;
}

/** The rows of `workspaces`, and then those of archives, must come before those of the record, which come in their order. */
export function createRecordCheck(): RecordCheck {
  const heads = new Map<string, Head>();
  /** The last row that is in an archive; the archives of a workspace come in their order. */
  const archived = new Map<string, ChainPoint>();
  const checks = new Map<string, ReturnType<typeof createChainCheck>>();

  function acceptEvent(row: AuditRow): string | undefined {
    const head = heads.get(row.workspace_id);
    if (!head) return `a row of the record belongs to no workspace (${row.workspace_id})`;
    const start = archived.get(row.workspace_id);
    // Rows that are in an archive are deleted a little later.
    if (row.seq <= (start?.seq ?? 0)) return undefined;
    const check = checks.get(row.workspace_id) ?? createChainCheck(start);
    checks.set(row.workspace_id, check);
    const broken = check.accept(toEvent(row));
    return broken && `the record of ${head.slug} is broken at row ${broken.seq}: ${broken.problem}`;
  }

  return {
    accept(table, columns, row) {
      if (!['workspaces', 'record_archives', 'audit_events'].includes(table)) return undefined;
      const named = Object.fromEntries(columns.map((column, place) => [column, row[place]]));
      if (table === 'audit_events') return acceptEvent(named as unknown as AuditRow);
      if (table === 'record_archives') {
        archived.set(String(named.workspace_id), { seq: Number(named.last_seq), hash: String(named.last_hash) });
        return undefined;
      }
      const { id, slug, audit_seq, audit_hash } = named;
      heads.set(String(id), { slug: String(slug), seq: Number(audit_seq), hash: String(audit_hash) });
      return undefined;
    },
    end() {
      for (const [id, { slug, seq, hash }] of heads) {
        const end = checks.get(id) ?? archived.get(id) ?? { seq: 0, hash: chainStart };
        if (end.seq !== seq || end.hash !== hash)
          return `the record of ${slug} ends at row ${end.seq}, and its head is row ${seq}`;
      }
      return undefined;
    },
  };
}
