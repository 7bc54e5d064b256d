/** How a program asks a person: a namespace that every program has, besides those of its caller's tools. */
import { z } from 'zod';

/** The name of the question among the calls of a run. No tool has a dot in its model-facing name. */
export const askName = 'person.ask';

export const personNamespace = {
  namespace: 'person',
  text: `declare namespace person {
/** Asks a person, and waits for the answer, however long that takes. */
function ask<const Choice extends string = string>(asked: { question: string; choices?: readonly Choice[] }): Promise<Choice>;
}`,
  tools: { ask: askName },
} as const;

export const question = z.strictObject({
  question: z.string().min(1).max(2_000),
  choices: z.array(z.string().min(1).max(200)).min(1).max(20).optional(),
});
