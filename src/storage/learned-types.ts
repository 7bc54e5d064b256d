/** The types of tools' answers, learned from them: one row for each tool. */
import type { LearnedType, LearnedTypeTable } from '../domain/storage.js';
import { decodeJson, encodeJson, encodeTime } from './codec.js';
import type { LearnedTypeRow } from './schema.js';
import type { Scope } from './scope.js';

export function createLearnedTypes(scope: Scope): LearnedTypeTable {
  const ofToolkit = (toolkit: string) =>
    scope.selectFrom('learned_types').selectAll().where('toolkit', '=', toolkit).orderBy('tool');
  return {
    async list(toolkit) {
      return (await ofToolkit(toolkit).execute()).map(toLearnedType);
    },
    async find(toolkit, tool) {
      const row = await ofToolkit(toolkit).where('tool', '=', tool).executeTakeFirst();
      return row && toLearnedType(row);
    },
    put: ({ toolkit, tool, definition, answers, shape }, at) =>
      scope.upsert('learned_types', ['toolkit', 'tool'], {
        toolkit,
        tool,
        definition,
        answers,
        shape: encodeJson(shape),
        updated_at: encodeTime(at),
      }),
  };
}

function toLearnedType({ toolkit, tool, definition, answers, shape }: LearnedTypeRow): LearnedType {
  return { toolkit, tool, definition, answers, shape: decodeJson(shape) };
}
