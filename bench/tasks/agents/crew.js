/** The processes of the campaign as seen by its parent: it asks any of them for an act of the plane, and another one if that dies. */
import { fork } from 'node:child_process';
import { once } from 'node:events';

/**
 * Starts a process and resolves when it is open. Throws if it ends before.
 *
 * @param {string} program path of its module
 * @param {object} facts its argument
 */
export async function startProcess(program, facts) {
  const child = fork(program, [JSON.stringify(facts)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const [told] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  if (!told?.open) throw new Error(`A process ended before it was open: ${told}`);
  // Each question listens for its answer and for the end of the process.
  child.setMaxListeners(0);
  return child;
}

let questions = 0;

/** Resolves with what the process answers; undefined if it died before it did. */
function ask(child, question) {
  const id = ++questions;
  return new Promise((resolve) => {
    const finish = (answer) => {
      child.off('message', hear);
      child.off('exit', end);
      resolve(answer);
    };
    const hear = (answer) => answer.id === id && finish(answer);
    const end = () => finish(undefined);
    child.on('message', hear);
    child.on('exit', end);
    child.send({ id, ...question }, (error) => error && finish(undefined));
  });
}

/**
 * An act of the plane, asked of one process. Throws an error with `isDead` if that died before it answered: the act may have been done.
 * Other errors have the code of Helve's error.
 *
 * @param {{ members: readonly import('node:child_process').ChildProcess[] }} crew
 */
export async function act(crew, name, ...parameters) {
  const child = crew.members[Math.floor(Math.random() * crew.members.length)];
  const answer = child && (await ask(child, { act: name, parameters }));
  if (answer === undefined) throw Object.assign(new Error(`Nobody answered ${name}`), { isDead: true });
  if (answer.error) throw Object.assign(new Error(answer.error.message), answer.error);
  return answer.result;
}

/** Does it again until no process dies meanwhile. It must look first what has been done. */
export async function insist(work) {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!error.isDead) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
