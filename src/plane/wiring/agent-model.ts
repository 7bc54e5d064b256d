/** Asks the model of agents that work, with the tools that each agent has at that moment. */
import type { AgentModel, ModelAnswer, ModelTool } from '../../domain/agent-model.js';
import { HelveError } from '../../domain/errors.js';
import type { ListedTool } from '../../domain/execution.js';
import type { JsonObject } from '../../domain/json.js';
import type { Principal } from '../../domain/principal.js';
import type { RecipeScope } from '../../domain/recipe-scope.js';
import { askPersonName, finishStepName, readQuestion, submitName } from '../../flows/runs/index.js';
import { describedFor } from '../../util/approval-note.js';

interface AskModelParts {
  /** Undefined if none is configured. */
  readonly model: AgentModel | undefined;
  /** The tools that the principal is shown now. */
  readonly listTools: (principal: Principal) => Promise<readonly ListedTool[]>;
}

/** Asks the model with the tools that the agent has at that moment. Throws `invalid_config` without a model. */
export function createAskModel({ model, listTools }: AskModelParts) {
  return async (principal: Principal, asked: unknown, signal: AbortSignal): Promise<ModelAnswer> => {
    if (model === undefined)
      throw new HelveError('invalid_config', 'No model is configured for agents', {
        hint: 'Set models.language in helve.yaml, or pass models.language to createHelve.',
      });
    const { outputSchema, ...question } = readQuestion(asked);
    const listed = await listTools(principal);
    const tools = listed.map((one): ModelTool => {
      return { name: one.name, description: describedFor(one), inputSchema: one.tool.inputSchema };
    });
    return model.answer({ ...question, tools: [...tools, ...ownTools(outputSchema, principal.task?.step)] }, signal);
  };
}

/** What the loop itself does, which is no tool of the catalogue. */
function ownTools(outputSchema: JsonObject | undefined, step: RecipeScope | undefined): ModelTool[] {
  const ask: ModelTool = {
    name: askPersonName,
    description:
      'Ask a person, and wait for the answer, however long that takes. Ask only what you cannot find out yourself.',
    inputSchema: {
      type: 'object',
      properties: {
        question: { type: 'string', description: 'One question, with all that is needed to answer it' },
        choices: {
          type: 'array',
          items: { type: 'string' },
          description: 'The answers to choose from, if there are any',
        },
      },
      required: ['question'],
      additionalProperties: false,
    },
  };
  const own = step === undefined || step.isOver ? [ask] : [ask, finishTool(step)];
  if (outputSchema === undefined) return own;
  const submit = {
    name: submitName,
    description: 'Hand in the result of the work, which ends it.',
    inputSchema: outputSchema,
  };
  return [...own, submit];
}

const finishTool = ({ recipe, step }: RecipeScope): ModelTool => ({
  name: finishStepName,
  description: `Say that step ${step} of the recipe ${recipe} is done. In your next answer you have the tools of the next step.`,
  inputSchema: {
    type: 'object',
    properties: { summary: { type: 'string', description: 'What was done in this step, and what came of it' } },
    required: ['summary'],
    additionalProperties: false,
  },
});
