/** Every written form is resolved to its tool: over Composio's real catalogue, and with hostile names. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../testing/any-character.js';
import { expectEqual } from '../../testing/expect-equal.js';
import {
  createNameIndex,
  type ToolId,
  toAuditName,
  toCodeName,
  toComposioName,
  toLegacyId,
  toModelName,
} from './index.js';

const data = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));
const catalogueFile = `${data}discovery/composio/tools.jsonl`;
const apiFile = `${data}composio-api/tools.json`;
const absent = existsSync(catalogueFile) && existsSync(apiFile) ? '' : ` (skipped: ${data} is not on this machine)`;

interface Row extends ToolId {
  readonly slug: string;
  readonly title: string;
}

function readCatalogue(): Row[] {
  const lines = readFileSync(catalogueFile, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const row: { id: string; app: string; app_name: string } = JSON.parse(line);
    const name = row.id.slice(row.app.length + 1).toLowerCase();
    return { toolkit: row.app.toLowerCase(), name, slug: row.id, title: row.app_name };
  });
}

const plain = ({ toolkit, name }: ToolId): ToolId => ({ toolkit, name });
const modelShape = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/;

describe.skipIf(absent !== '')(`the real catalogue${absent}`, () => {
  const rows = absent === '' ? readCatalogue() : [];
  const index = createNameIndex(rows);

  it('R-registry: resolves every form of all 12,947 real names', () => {
    expect(index.size).toBe(12_947);
    for (const row of rows) {
      const id = plain(row);
      const written = [toCodeName(id), toComposioName(id), toLegacyId(id), toAuditName(id, row.title), toAuditName(id)];
      for (const form of written) expectEqual(index.parse(form), id, form);
      const form = toModelName(id, 'work-account-2');
      expect(form).toMatch(modelShape);
      expectEqual(index.parse(form, { toolkitOfSlug: () => id.toolkit }), id, form);
    }
  });

  it('R-registry: writes the slug that Composio itself uses, for every one of them', () => {
    const different = rows.filter((row) => toComposioName(row) !== row.slug);
    expect(different).toEqual([]);
    const api: { slug: string }[] = JSON.parse(readFileSync(apiFile, 'utf8'));
    expect(api.filter(({ slug }) => index.parse(slug) === undefined)).toEqual([]);
  });

  it('R-registry: gives every one of them a natural name in code, and no two share a form', () => {
    expect(rows.filter((row) => !/^(?:_\d)?[a-z0-9]\w*\.[a-z]\w*$/.test(toCodeName(row)))).toEqual([]);
    expect(rows.filter((row) => /_[0-9a-f]{16}/.test(toCodeName(row)))).toEqual([]);
    for (const write of [toCodeName, toComposioName, toLegacyId, (id: ToolId) => toAuditName(id)]) {
      expect(new Set(rows.map(write)).size).toBe(rows.length);
    }
  });
});

const awkward = [
  '',
  '_',
  '__',
  'a__b',
  'a_',
  '_a',
  'then',
  '__proto__',
  'constructor',
  'delete',
  'to_string',
  '21risk',
];
awkward.push(
  '_21risk',
  '_2_chat',
  '_2chat',
  'zoho',
  'zoho_books',
  'books_create',
  'create',
  'git_hub',
  'github',
  'GitHub',
);
awkward.push(
  'créer',
  '日本',
  '🙂',
  '\u0000',
  '\ud800',
  'a.b',
  'a-b',
  'a$b',
  'a b',
  'GITHUB_CREATE_ISSUE',
  'composio-a_b',
  'fetch',
);
awkward.push(
  'x'.repeat(200),
  `${'x'.repeat(200)}y`,
  'x_0123456789abcdef',
  'v_1_1',
  'execute_command',
  'run_command',
  'aB',
  'AB',
  'ab',
);
const part = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...awkward) },
  { weight: 2, arbitrary: fc.string({ unit: fc.constantFrom('a', 'b', 'B', '_', '-', '1', '.', '$'), maxLength: 8 }) },
  fc.string({ unit: anyCharacter, maxLength: 300 }),
);
const toolId: fc.Arbitrary<ToolId> = fc.record({ toolkit: part, name: part });
const key = (id: ToolId) => JSON.stringify([id.toolkit, id.name]);
const catalogue = fc.uniqueArray(toolId, { selector: key, maxLength: 30 }).chain((ids) => {
  // A tool whose toolkit or name is another's written form is the most likely to be mistaken for it.
  const imitations = ids.flatMap((id) => [
    { toolkit: id.toolkit, name: toModelName(id) },
    { toolkit: toCodeName(id).split('.')[0] ?? '', name: id.name },
    { toolkit: toAuditName(id).split('.')[0] ?? '', name: toCodeName(id).split('.')[1] ?? '' },
    { toolkit: toComposioName(id).toLowerCase(), name: toLegacyId(id) },
  ]);
  return fc.constant([...new Map([...ids, ...imitations].map((id) => [key(id), id])).values()]);
});

describe('hostile names', () => {
  it('R-registry: every form is resolved, and no two tools share one, for any names', () => {
    fc.assert(
      fc.property(catalogue, (ids) => {
        const index = createNameIndex(ids);
        const seen = new Map<string, string>();
        for (const id of ids) {
          const title = `${id.toolkit.toUpperCase()}!`;
          for (const form of [
            toCodeName(id),
            toComposioName(id),
            toLegacyId(id),
            toAuditName(id),
            toAuditName(id, title),
          ]) {
            expectEqual(index.parse(form), id, form);
            expectEqual(seen.get(form) ?? key(id), key(id), form);
            seen.set(form, key(id));
          }
          const form = toModelName(id, 'my-slug');
          expectEqual(index.parse(form, { toolkitOfSlug: () => id.toolkit }), id, form);
          const bare = ids.filter((other) => toModelName(other) === toModelName(id));
          expect(index.parse(toModelName(id))).toEqual(bare.length === 1 ? id : undefined);
        }
      }),
      { numRuns: 120 },
    );
  });

  it('R-registry: the tool that a form names never depends on the other tools or their order', () => {
    fc.assert(
      fc.property(catalogue, toolId, (others, id) => {
        const forms = [toCodeName(id), toComposioName(id), toLegacyId(id), toAuditName(id)];
        const alone = createNameIndex([id]);
        const last = createNameIndex([...others, id]);
        const first = createNameIndex([id, ...others.toReversed()]);
        for (const form of forms) {
          expect(alone.parse(form)).toEqual(id);
          expect(last.parse(form)).toEqual(id);
          expect(first.parse(form)).toEqual(id);
        }
      }),
    );
  });

  it('the code form is always two identifiers that JavaScript does not reserve', () => {
    fc.assert(
      fc.property(toolId, (id) => {
        const [toolkit = '', member = '', ...rest] = toCodeName(id).split('.');
        expect(rest).toEqual([]);
        for (const identifier of [toolkit, member]) {
          expect(identifier).toMatch(/^[a-z_][\w$]*$/);
          expect(() => new Function(`'use strict'; const ${identifier} = 1;`)).not.toThrow();
          expect(identifier in {}).toBe(false);
        }
      }),
      { numRuns: 500 },
    );
  });
});
