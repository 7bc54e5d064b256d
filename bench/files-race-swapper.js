// The adversary in files-race.js and in src/walls/files/race.test.ts: replaces names below <root> with links to <outside> and
// with hard links to its secret, as fast as it can, until its standard input ends. It owns both folders.
import { linkSync, mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [root, outside] = process.argv.slice(2);
const at = (name) => join(root, name);
const attempt = (act) => {
  try {
    act();
  } catch (error) {
    // The other side has deleted, moved or created something in the meantime.
    if (!/^(ENOENT|EEXIST|ENOTEMPTY|EISDIR|ENOTDIR)$/.test(error.code)) throw error;
  }
};
const fill = (folder) => {
  for (const name of ['file', 'victim', 'log']) attempt(() => writeFileSync(join(folder, name), 'inside'));
};

mkdirSync(at('dir'));
fill(at('dir'));
symlinkSync(outside, at('dir.link'));
writeFileSync(at('name'), 'inside');

function swap(round) {
  // A folder becomes a link to the outside, then a folder again.
  attempt(() => renameSync(at('dir'), at('dir.real')));
  attempt(() => renameSync(at('dir.link'), at('dir')));
  if (round % 2 === 0) fill(at('dir.real'));
  attempt(() => renameSync(at('dir'), at('dir.link')));
  attempt(() => renameSync(at('dir.real'), at('dir')));
  // A file becomes a link to the secret, then the secret itself under another name, and a file again.
  attempt(() => symlinkSync(join(outside, 'file'), at('name.next')));
  attempt(() => renameSync(at('name.next'), at('name')));
  attempt(() => unlinkSync(at('name')));
  attempt(() => linkSync(join(outside, 'log'), at('name')));
  attempt(() => writeFileSync(at('name.next'), 'inside'));
  attempt(() => renameSync(at('name.next'), at('name')));
}

let ended = false;
process.stdin.on('end', () => {
  ended = true;
});
process.stdin.resume();
process.stdout.write('ready\n');
let rounds = 0;
const turn = () => {
  for (let more = 0; more < 50; more++) swap(rounds++);
  if (ended) process.stdout.write(`${rounds}\n`);
  else setImmediate(turn);
};
turn();
