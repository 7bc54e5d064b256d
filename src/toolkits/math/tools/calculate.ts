import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { calculateToString, calculate as evaluate } from '../calculate/index.js';

/** `text` is exact where `result`, a JSON number, cannot be: for big integers and infinities. */
export const calculate = defineTool({
  name: 'calculate',
  title: 'Calculate',
  description:
    'Evaluate a mathematical expression in Python syntax: + - * / // % **, comparisons, parentheses, abs round min max sqrt sin cos tan log log10 and more, pi and e. Integers are exact.',
  searchWords:
    'add plus sum total subtract minus difference multiply times product divide split share ratio percent percentage discount tax tip interest average mean square root power exponent factorial logarithm sine angle formula maths arithmetic number how much how many convert units remainder round up',
  inputSchema: z.strictObject({
    expression: z.string().min(1).max(4_000).describe('A maths expression in Python syntax, e.g. sqrt(16) + pi'),
  }),
  outputSchema: z.strictObject({
    result: z
      .union([z.number(), z.boolean(), z.null()])
      .describe('The value; null where JSON has no such number (inf, nan)'),
    text: z.string().describe('The value exactly as Python prints it'),
  }),
  annotations: local(effects.reads),
  capabilities: ['calculate expression'],
  examples: [
    { input: { expression: 'sqrt(16) + pi' }, output: { result: 7.141592653589793, text: '7.141592653589793' } },
    { input: { expression: '-7 // 2' }, output: { result: -4, text: '-4' } },
  ],
  async execute({ expression }) {
    const value = evaluate(expression);
    return {
      result: Number.isFinite(value) || typeof value === 'boolean' ? value : null,
      text: calculateToString(expression),
    };
  },
});
