/** Finding tools: requests and replies. */
import { z } from 'zod';
import { agentField, commaList, text } from './requests.js';
import { jsonObject, namedShapes, riskTier, shownApproval, toolAnnotations, toolExample } from './shapes.js';

const query = text.describe('The task in any words, or names of tools');
const longText = z.string().min(1).max(20_000);

export const searchQuery = z.strictObject({
  q: query,
  limit: z.coerce.number().int().min(1).max(50).optional(),
  toolkits: commaList.optional().describe('Toolkit slugs, separated by commas: only their tools'),
  explain: z.enum(['true', 'false']).optional().describe('Say why each tool was found'),
  agent: agentField,
});

export const describeBody = z.strictObject({ names: z.array(text).min(1).max(50), agent: agentField });
namedShapes.add(describeBody, { id: 'DescribeRequest' });

export const hintsBody = z.strictObject({
  text: longText.describe('The person’s message, or the step of a recipe'),
  mode: z.enum(['chat', 'recipe']).default('chat'),
  limit: z.int().min(1).max(30).optional(),
  agent: agentField,
});
namedShapes.add(hintsBody, { id: 'HintsRequest' });

const foundTool = z
  .object({
    name: z.string().describe('The model-facing name'),
    toolkit: z.string(),
    connection: z.string().optional().describe('Slug of the account that the tool uses'),
    title: z.string(),
    signature: z.string(),
    summary: z.string(),
    risk: riskTier,
    act: z.int().optional().describe('Which of the acts of the reply it serves, from 1'),
    score: z.number().describe('Comparable only within one reply'),
    approval: shownApproval,
    why: z.array(z.string()).optional(),
  })
  .describe('A tool that was found');
namedShapes.add(foundTool, { id: 'FoundTool' });

export const toolFindings = z.object({
  hits: z.array(foundTool),
  tier: z.enum(['exact', 'semantic', 'fallback']).describe('How the tools were found'),
  answer: z
    .enum(['these', 'perhaps', 'nothing'])
    .describe('Whether the hits do what was asked, may do it, or are only the nearest'),
  abstained: z.boolean().describe('True if the answer is `nothing`'),
  unmatched: z.array(z.string()).describe('Words that match none of the caller’s tools'),
  acts: z
    .array(z.object({ text: z.string(), answer: z.enum(['these', 'perhaps', 'nothing']) }))
    .optional()
    .describe('The acts of a query that has several, each with the answer to it alone'),
  readAs: z
    .array(z.object({ written: z.string(), read: z.string() }))
    .optional()
    .describe('Mistyped words, and what they were read as'),
  nearest: z
    .array(z.object({ toolkit: z.string(), name: z.string(), connected: z.boolean() }))
    .optional()
    .describe('Toolkits that would fit if they were connected or granted'),
  hint: z.string().optional(),
});
namedShapes.add(toolFindings, { id: 'ToolFindings' });

export const toolDescriptions = z.object({
  tools: z.array(
    z.object({
      name: z.string(),
      toolkit: z.string(),
      connection: z.string().optional(),
      title: z.string(),
      description: z.string(),
      signature: z.string(),
      inputSchema: jsonObject,
      outputSchema: jsonObject.optional(),
      declaration: z.string().describe('TypeScript'),
      annotations: toolAnnotations,
      risk: riskTier,
      capabilities: z.array(z.string()),
      approval: z.enum(['none', 'required', 'depends', 'denied']).describe('Whether a person must approve a call'),
      examples: z.array(toolExample),
    }),
  ),
  unknown: z.array(
    z.object({
      name: z.string(),
      nearest: z.array(z.string()),
      refused: z.string().optional().describe('The reason why the toolkit does not offer this tool'),
    }),
  ),
});
namedShapes.add(toolDescriptions, { id: 'ToolDescriptions' });

export const toolHints = z.object({
  text: z.string().describe('Text for a system prompt'),
  tools: z.array(foundTool),
  tier: z.enum(['exact', 'capability', 'token', 'fallback', 'none']),
});
namedShapes.add(toolHints, { id: 'ToolHints' });

const tierCount = z.object({ count: z.int(), milliseconds: z.number() });

export const discoveryStats = z.object({
  searches: z.int(),
  abstained: z.int(),
  tiers: z.object({ exact: tierCount, semantic: tierCount, fallback: tierCount }),
  hints: z.object({
    exact: z.int(),
    capability: z.int(),
    token: z.int(),
    fallback: z.int(),
    none: z.int(),
  }),
  indexed: z.object({ tools: z.int(), toolkits: z.int() }),
  embeddings: z
    .object({
      model: z.string(),
      vectors: z.int().describe('Texts of tools that have one'),
      waiting: z.int().describe('Texts of tools that wait for theirs'),
      used: z.int().describe('Searches that used them'),
      late: z.int().describe('Searches for which the answer came too late'),
      failed: z.int().describe('Searches for which the request failed'),
      skipped: z.int().describe('Searches before enough vectors were there, or soon after several failures'),
    })
    .optional()
    .describe('The operator’s model for finding tools, if one is set'),
});
namedShapes.add(discoveryStats, { id: 'DiscoveryStats' });
