/**
 * What the agents of the campaign do, by the number of their issue. An attempt is a list of the model's
 * answers, of which the last is a text. There are six effects, numbered 1 to 6, each at a different service.
 */

/** The services by step, and how each keeps an effect from happening twice. */
export const services = [
  { tool: 'create_branch', by: 'probe' },
  { tool: 'write_file', by: 'repeatable' },
  { tool: 'open_ticket', by: 'key' },
  { tool: 'send_message', by: 'key' },
  { tool: 'add_label', by: 'probe' },
  { tool: 'log_time', by: 'key' },
];
/** In the place of step 4 where a person must approve it. */
export const approved = { tool: 'publish', by: 'key' };
/** What the check of an issue asks: whether its second attempt has made its effects. */
export const inspected = 'inspect';

const all = [1, 2, 3, 4, 5, 6];
/** A turn with these effects at once, by direct tools. */
const direct = (...steps) => ({ steps: [steps] });
const oneByOne = (steps) => steps.map((step) => direct(step));
/** A turn with a program: batches of effects, those of a batch at once. */
const program = (...batches) => ({ steps: batches, isProgram: true });
const ask = { steps: [], question: 'Which one?' };

const stories = [
  { agent: 'direct', attempts: [oneByOne(all)] },
  { agent: 'coder', attempts: [[program(...all.map((step) => [step]))]] },
  { agent: 'direct', attempts: [[direct(1, 2, 3), direct(4, 5, 6)]] },
  { agent: 'coder', attempts: [[program([1, 2, 3], [4, 5, 6])]] },
  { agent: 'direct', attempts: [[...oneByOne([1, 2, 3]), ask, ...oneByOne([4, 5, 6])]] },
  { agent: 'coder', attempts: [[program([1], [2, 3])], [program([4], [5], [6])]] },
  { agent: 'direct', attempts: [oneByOne(all)], isApproved: true },
  { agent: 'coder', attempts: [[program([1], [2], [3]), program([4, 5, 6])]] },
];

export const storyOf = (issue) => stories[issue % stories.length];
export const titleOf = (issue) => `Issue ${issue} of the campaign`;

/** The tool of a step. */
export const toolOf = (issue, step) =>
  step === 4 && storyOf(issue).isApproved ? approved.tool : services[step - 1].tool;

/** The effects of an issue in order, as `attempt.step`; those of a batch may come in any order. */
export const batchesOf = (issue) =>
  storyOf(issue).attempts.flatMap((turns, at) =>
    turns.flatMap(({ steps }) => steps.map((batch) => batch.map((step) => `${at + 1}.${step}`))),
  );

/** The number of model answers that the issue needs. */
export const answersOf = (issue) => storyOf(issue).attempts.reduce((sum, turns) => sum + turns.length + 1, 0);
