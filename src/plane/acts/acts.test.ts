/**
 * One table of all operations of the plane, tried by every caller that must be refused: without the permission, on
 * another person's private account, as another agent, from another workspace, with expired or revoked credentials. An
 * operation without a row in the table does not compile.
 */
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { type Act, type ActFacts, acts as facts } from '../../domain/acts.js';
import { toHelveError } from '../../domain/errors.js';
import type { ToolResult } from '../../domain/execution.js';
import type { Plane } from '../../domain/plane.js';
import type { Principal } from '../../domain/principal.js';
import type { Cell, Ended, Row, Table } from './testing/act-row.js';
import { settingUpActs } from './testing/acts-accounts.js';
import { issueActs, placeActs } from './testing/acts-issues.js';
import { notificationActs } from './testing/acts-notifications.js';
import { operatingActs } from './testing/acts-operating.js';
import { openScene, type Scene, without, word } from './testing/acts-scene.js';

const table: Table<keyof Plane> = {
  ...operatingActs,
  ...settingUpActs,
  ...issueActs,
  ...placeActs,
  ...notificationActs,
};
const acts = Object.keys(table) as (keyof Plane)[];

interface Outcome {
  readonly code: string;
  readonly text: string;
}

async function outcomeOf(act: () => unknown): Promise<Outcome> {
  try {
    const answer = await act();
    const text = JSON.stringify(answer) ?? '';
    const refused = answer as Partial<Extract<ToolResult, { ok: false }>> | undefined;
    // A call returns its refusal and does not throw.
    return { code: refused?.ok === false && refused.error ? refused.error.code : 'nothing', text };
  } catch (thrown) {
    const error = toHelveError(thrown);
    return { code: error.code, text: JSON.stringify(error.toJSON()) };
  }
}

/** What an answer reveals about the private account, beyond what the request named. */
const told = ({ text }: Outcome, { names = '' }: Row): string =>
  (names === '' ? text : text.replaceAll(names, '')).toLowerCase();

/** `before`: the rows that there are. Returns those that there are afterwards. */
type ExpectRefused = (before: Rows, by: Principal, code: string) => Promise<Rows>;
type Rows = readonly string[];

const refusing =
  (scene: Scene, act: keyof Plane): ExpectRefused =>
  async (before, by, code) => {
    const row: Row = table[act];
    const outcome = await outcomeOf(() => row.act(scene, by));
    expect(outcome, act).toMatchObject({ code });
    expect(told(outcome, row)).not.toContain(word);
    const after = scene.rows();
    // If the operation succeeds, it may change only the caller's own data.
    const isKept = (text: string) => code !== 'nothing' || text.includes(word) || text.includes(scene.account);
    expect(after.filter(isKept)).toEqual(before.filter(isKept));
    return after;
  };

const tried = (cell: Cell | Row['needs']): cell is Extract<Cell, string> => typeof cell === 'string';

/** As the permitted caller, with exactly the permissions that the row lists. The events are those that the act declares. */
async function expectEffect(scene: Scene, act: keyof Plane, before: Rows): Promise<void> {
  const row: Row = table[act];
  const { needs, also = [], effect } = row;
  const permissions = [...('none' in needs ? scene.owner.permissions : needs), ...also];
  const recorded = (await scene.helve.audited()).length;
  const outcome = await outcomeOf(() => row.act(scene, { ...scene.owner, permissions }));
  const refusedHere = !['shows', 'changes', 'answers', 'passes'].includes(effect);
  expect(outcome).toMatchObject({ code: refusedHere ? effect : 'nothing' });
  if (effect === 'shows') expect(told(outcome, row)).toContain(word);
  if (effect === 'answers') expect(outcome.text).not.toBe('');
  if (effect === 'changes') expect(scene.rows()).not.toEqual(before);
  if (!Object.hasOwn(facts, act)) return;
  const { audit }: ActFacts = facts[act as Act];
  const declared: readonly string[] = 'none' in audit ? [] : audit;
  const events = (await scene.helve.audited()).slice(recorded).map(({ type }) => type);
  expect([act, events.filter((type) => !declared.includes(type))]).toEqual([act, []]);
  if (effect === 'changes') expect([act, events.length > 0]).toEqual([act, declared.length > 0]);
}

async function inScene(work: (scene: Scene) => Promise<void>): Promise<void> {
  const scene = await openScene();
  try {
    await work(scene);
  } finally {
    await scene.close();
  }
}

/** The scene of the test before, if that one has changed nothing in it. */
let left: { readonly scene: Scene; readonly rows: Rows } | undefined;
afterAll(() => left?.scene.close());

/** As `inScene`, but in the scene that the test before has left as it was; its clock must stand as well. */
async function inKeptScene(work: (scene: Scene) => Promise<void>): Promise<void> {
  const scene = left?.scene ?? (await openScene());
  const rows = left?.rows ?? scene.everyRow();
  left = undefined;
  let isAsBefore = false;
  try {
    await work(scene);
    isAsBefore = isDeepStrictEqual(scene.everyRow(), rows);
  } finally {
    if (isAsBefore) left = { scene, rows };
    else await scene.close();
  }
}

test('the table lists every operation of the plane', () =>
  inScene(async ({ plane }) => expect(acts.toSorted()).toEqual(Object.keys(plane).toSorted())));

test.each(acts)('attack: %s is refused, without effect, to every caller but the permitted one', (act) =>
  inKeptScene(async (scene) => {
    const row: Row = table[act];
    const expectRefused = refusing(scene, act);
    let rows = scene.rows();
    if (!('none' in row.needs))
      for (const permission of row.needs)
        rows = await expectRefused(rows, without(scene.owner, [permission]), row.lacking ?? 'forbidden');
    if (tried(row.account))
      rows = await expectRefused(rows, without(scene.other, row.accountWithout ?? []), row.account);
    if (tried(row.agent)) rows = await expectRefused(rows, scene.rival, row.agent);
    if (tried(row.workspace)) rows = await expectRefused(rows, scene.stranger, row.workspace);
    await expectEffect(scene, act, rows);
  }));

const ending = acts.flatMap((act) =>
  (['expired', 'revoked'] as const).flatMap((how) => {
    const ended: Row['expired'] = table[act][how];
    return typeof ended === 'object' && 'act' in ended ? [[act, how, ended] as const] : [];
  }),
);

test.each(
  ending,
)('attack: %s with credentials that are %s is refused, and was allowed before', (act, _how, ended: Ended) =>
  inScene(async (scene) => {
    const { code } = await outcomeOf(() => ended.act(scene));
    expect([act, code]).toEqual([act, ended.code]);
  }));

describe('columns that other tests cover', () => {
  const columns = ['account', 'agent', 'workspace', 'expired', 'revoked'] as const;
  const proofs = acts.flatMap((act) =>
    columns.flatMap((column) => {
      const cell: unknown = table[act][column];
      return typeof cell === 'object' && cell !== null && 'file' in cell
        ? [[act, column, cell as { file: string; words: string }] as const]
        : [];
    }),
  );

  test.each(proofs)('%s, %s: the other test exists', (_act, _column, { file, words }) => {
    expect(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')).toContain(words);
  });
});

test('leak: a reader of the record sees calls on a private account, redacted; without audit:read nothing', () =>
  inScene(async ({ plane, owner, other, acting, execution }) => {
    const secret = 'password-of-the-vault';
    const call = { principal: acting, tool: `${word}__empty_vault`, input: { password: secret } };
    await plane.execute(call);
    const reads = (by: Principal) => [
      () => plane.execution(by, execution),
      () => plane.executions(by, {}),
      () => plane.audit(by, { limit: 500 }),
    ];
    const auditor = without(other, ['approvals:decide', 'connections:read']);
    for (const read of reads(auditor)) {
      const { code, text } = await outcomeOf(read);
      expect([code, text.includes(secret)]).toEqual(['nothing', false]);
      expect(text).toContain(word);
    }
    for (const read of reads(without(other, ['audit:read']))) expect((await outcomeOf(read)).text).not.toContain(word);
    // The secret was visible to someone: a person who decides on the call and may see the account sees it.
    expect((await outcomeOf(() => plane.approvals(owner, {}))).text).toContain(secret);
  }));
