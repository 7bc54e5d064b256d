/**
 * The model of the campaign, with OpenAI's protocol. It says what the story of the issue says, and no two answers are the same: each has a
 * number, which its effects carry too. The number shows which answer a process asked for again, and whether it had used it before.
 */
import { storyOf, toolOf } from './stories.js';

/**
 * @param {{ kills: Map<string, number>, problems: string[] }} facts `kills`: when each dead process was killed, by the key with which it
 *   asks, in milliseconds of `performance.now()`
 * @returns {{ ask: (body: object, process: string) => { answer: object, onSent: () => void },
 *   use: (effect: { issue: number, attempt: number, answer: number }) => void, figures: () => object }}
 */
export function createModel({ kills, problems }) {
  let number = 0;
  let askedAgain = 0;
  let longestFlight = 0;
  /** By `issue.attempt.turn`: the questions, oldest first. */
  const questions = new Map();
  /** By `issue.attempt.turn`: the answer that a process went on from. */
  const used = new Map();
  /** By `issue.attempt`: how many programs were not admitted. */
  const refused = new Map();
  /** By the number of an answer: the turn that it belongs to. */
  const turns = new Map();

  function markUsed(turn, answer) {
    const before = used.get(turn);
    if (turns.get(answer) !== turn) problems.push(`turn ${turn} goes on from answer ${answer} of ${turns.get(answer)}`);
    if (before !== undefined && before !== answer)
      problems.push(`turn ${turn} used the answers ${before} and ${answer}`);
    used.set(turn, answer);
  }

  /** An answer may get lost with the process that asked, before it is in the ledger. */
  function judgeRepetition(turn, earlier) {
    askedAgain += 1;
    if (used.has(turn)) problems.push(`turn ${turn} was paid for again after its answer ${used.get(turn)} was used`);
    for (const { process, sentAt } of earlier) {
      const killedAt = kills.get(process);
      if (killedAt === undefined) problems.push(`turn ${turn} is asked again, and ${process}, which asked, lives`);
      else if (sentAt !== undefined) longestFlight = Math.max(longestFlight, killedAt - sentAt);
    }
  }

  function ask({ messages }, process) {
    const text = JSON.stringify(messages);
    const issue = Number(/Issue (\d+) of the campaign/.exec(text)?.[1]);
    const attempt = Number(/This is attempt (\d+)/.exec(text)?.[1] ?? 1);
    const said = messages.filter(({ role }) => role === 'assistant');
    said.forEach(({ content }, at) => {
      markUsed(`${issue}.${attempt}.${at}`, Number(/Answer (\d+)/.exec(content)?.[1]));
    });
    const turn = `${issue}.${attempt}.${said.length}`;
    const refusals = messages.filter(({ role, content }) => role === 'tool' && isRefused(content)).length;
    refused.set(`${issue}.${attempt}`, refusals);
    for (const { role, content } of messages)
      if (role === 'tool' && hasFailed(content)) problems.push(`before turn ${turn} a tool failed: ${content}`);
    const earlier = questions.get(turn) ?? [];
    if (earlier.length > 0) judgeRepetition(turn, earlier);
    const asked = { process, sentAt: undefined };
    questions.set(turn, [...earlier, asked]);
    number += 1;
    turns.set(number, turn);
    const onSent = () => {
      asked.sentAt = performance.now();
    };
    return { answer: answerOf({ issue, attempt, turn: said.length - refusals, number }), onSent };
  }

  return {
    ask,
    /** An effect shows that a process continued from the answer that asked for it. */
    use: ({ issue, attempt, answer }) => {
      const turn = turns.get(answer) ?? '';
      if (!turn.startsWith(`${issue}.${attempt}.`))
        problems.push(`answer ${answer} of ${turn} made an effect of ${issue}`);
      else markUsed(turn, answer);
    },
    /** How many answers the issue needed besides those of its story. */
    repetitions: (issue) => (refused.get(`${issue}.1`) ?? 0) + (refused.get(`${issue}.2`) ?? 0),
    figures: () => ({ answers: number, askedAgain, longestFlightMs: Math.round(longestFlight) }),
  };
}

/** Nothing of the program ran, such as when the check of its types took too long. It is handed in again. */
const isRefused = (content) => /"status":"refused"/.test(content);

/** A call that failed, or a program that has not succeeded: a model would react to it, this one does not. */
const hasFailed = (content) => /"error":/.test(content) || /"status":"(?!succeeded|refused)/.test(content);

function answerOf({ issue, attempt, turn, number }) {
  const { steps = [], isProgram, question } = storyOf(issue).attempts[attempt - 1]?.[turn] ?? {};
  const input = (step) => ({ issue, attempt, step, answer: number });
  const direct = (step) => [toolOf(issue, step), input(step)];
  let calls = steps.flat().map(direct);
  if (question !== undefined) calls = [['ask_person', { question }]];
  if (isProgram) calls = [['run_code', { code: programOf(issue, steps, input) }]];
  return {
    choices: [
      {
        message: {
          content: `Answer ${number} in turn ${turn}.`,
          tool_calls: calls.map(([name, given], at) => {
            return { id: `c${number}-${at}`, type: 'function', function: { name, arguments: JSON.stringify(given) } };
          }),
        },
        finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
      },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 5 },
  };
}

function programOf(issue, batches, input) {
  const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
  const call = (step) => `custom.${camel(toolOf(issue, step))}(${JSON.stringify(input(step))})`;
  const lines = batches.map((batch) => `made.push(...await Promise.all([${batch.map(call).join(', ')}]));`);
  return `const made: unknown[] = [];\n${lines.join('\n')}\nreturn made.length;`;
}
