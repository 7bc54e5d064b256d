/**
 * Finds out whether this machine can confine a command, by confining one. Nothing is assumed: the sandbox is started as for
 * any command, and its report about itself is compared with what is expected.
 */
import { accessSync, constants, existsSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import { HelveError } from '../../domain/errors.js';
import { collect } from '../collect-output.js';
import { findInherited, type Inherited } from './inherited.js';
import { type Identity, type LaunchPlan, launch, prlimit } from './launch.js';
import { errorMessage } from './plain-error.js';
import { viewArguments, workFolder } from './sandbox-view.js';

export type { Identity };

export interface MachineFacts {
  readonly platform: string;
  readonly architecture: string;
  readonly uid: number;
  /** The path of the program with this name in Helve's own `PATH`. */
  readonly find: (program: string) => string | undefined;
}

export interface Confinement {
  readonly bubblewrap: string;
  readonly architecture: LaunchPlan['architecture'];
  readonly identity: Identity | undefined;
  readonly inherited: Inherited;
  /** Before kernel 5.14, processes are counted for each user of the machine, not for each sandbox. */
  readonly countsProcessesPerSandbox: boolean;
}

const nobody = 65_534;
const probeMs = 10_000;
/** What a sandbox must report about itself, and what it means if it does not. */
const expected: readonly (readonly [RegExp, string])[] = [
  [/^Uid:\s+1000\s+1000\s+1000\s+1000$/m, 'the command runs as somebody else'],
  [/^CapEff:\s+0+$/m, 'the command has privileges'],
  [/^CapBnd:\s+0+$/m, 'the command can gain privileges'],
  [/^NoNewPrivs:\s+1$/m, 'the command can gain privileges from the programs it starts'],
  [/^Seccomp:\s+2$/m, 'system calls are not filtered'],
  [/^Pid:\s+\d{1,3}$/m, 'the command sees the processes of the machine'],
  [/^Max data size\s+67108864\s+67108864/m, 'memory is not limited'],
  [/^namespaces: refused$/m, 'the command can make its own namespaces'],
  [/^root: refused$/m, 'the command can write outside its folders'],
  [/^work: written$/m, 'the command cannot write into its work folder'],
  [/^descriptors: 0 1 2 ?$/m, 'the command is given open files of Helve'],
  [/^interfaces: lo $/m, 'the command has a network'],
];
const questions = [
  'cat /proc/self/status /proc/self/limits',
  'if unshare -U true; then echo namespaces: made; else echo namespaces: refused; fi',
  'if (: >/helve-probe); then echo root: written; else echo root: refused; fi',
  'if (: >helve-probe); then echo work: written; fi',
  // Without those for `/dev/null`, and the one that the listing itself needs.
  'echo "descriptors: $(ls -l /proc/self/fd | grep -v -e /dev/null -e /proc/ -e total | tr -s " " | cut -d" " -f9 | sort -n | tr "\\n" " ")"',
  'echo "interfaces: $(tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d " " | tr "\\n" " ")"',
].join('\n');

/** The user who owns the processes and files of a sandbox outside of it; undefined: the user that Helve runs as. */
export function sandboxIdentity(uid = process.geteuid?.() ?? -1): Identity | undefined {
  return uid === 0 ? { uid: nobody, gid: nobody } : undefined;
}

export function hostFacts(): MachineFacts {
  return {
    platform: process.platform,
    architecture: process.arch,
    uid: process.geteuid?.() ?? -1,
    find(program) {
      const folders = (process.env.PATH ?? '').split(':').filter((folder) => folder.startsWith('/'));
      return folders.map((folder) => join(folder, program)).find(isExecutable);
    },
  };
}

/** Throws `invalid_config`; the hint says what to install or to set. */
export async function examineMachine(facts: MachineFacts): Promise<Confinement> {
  const confinement = requirements(facts);
  const { said, complaint } = await probe(confinement);
  if (said === undefined) {
    throw cannot(`bubblewrap does not start: ${complaint}`, namespaceHint);
  }
  const wrong = expected.find(([pattern]) => !pattern.test(said));
  if (wrong) throw cannot(`in bubblewrap, ${wrong[1]}`, 'Report this with the output of `helve doctor`.');
  return confinement;
}

function requirements({ platform, architecture, uid, find }: MachineFacts): Confinement {
  if (platform !== 'linux') throw cannot(`it runs ${platform}`, 'Run Helve on Linux, in a virtual machine if need be.');
  if (architecture !== 'x64' && architecture !== 'arm64') {
    throw cannot(`there is no filter of system calls for ${architecture}`, 'Run Helve on x86_64 or aarch64.');
  }
  if (uid < 0) throw cannot('the system does not say as which user Helve runs', 'Run Helve as an ordinary user.');
  const bubblewrap = find('bwrap');
  if (bubblewrap === undefined) {
    throw cannot('bubblewrap is not installed', 'Install it: `apt-get install bubblewrap`, version 0.8 or newer.');
  }
  if (!existsSync(prlimit)) throw cannot(`${prlimit} is missing`, 'Install it: `apt-get install util-linux`.');
  const [major = 0, minor = 0] = release().split('.').map(Number);
  return {
    bubblewrap,
    architecture,
    inherited: findInherited(),
    identity: sandboxIdentity(uid),
    countsProcessesPerSandbox: major > 5 || (major === 5 && minor >= 14),
  };
}

async function probe(confinement: Confinement): Promise<{ said: string | undefined; complaint: string }> {
  const view: LaunchPlan['view'] = (attach) =>
    viewArguments({ limits: { diskMb: 1, network: false, readPaths: [] }, cwd: workFolder, files: {}, attach });
  const command = ['/bin/sh', '-c', questions];
  try {
    const launched = launch({ ...confinement, view, kernelLimits: ['--data=67108864'], command, stdin: undefined });
    const [stdout, stderr] = [launched.stdout, launched.stderr].map((stream) => collect(stream, 65_536, launched.kill));
    const timer = setTimeout(launched.kill, probeMs);
    const { code } = await launched.ended.finally(() => clearTimeout(timer));
    return { said: code === undefined ? undefined : stdout?.text(), complaint: firstLine(stderr?.text() ?? '') };
  } catch (error) {
    return { said: undefined, complaint: errorMessage(error) };
  }
}

const namespaceHint =
  'It needs version 0.8 or newer and user namespaces for ordinary users: `sysctl kernel.unprivileged_userns_clone=1` (Debian), ' +
  '`sysctl kernel.apparmor_restrict_unprivileged_userns=0` (Ubuntu) or an AppArmor profile for bwrap, `user.max_user_namespaces` above 0; ' +
  'a container must be allowed to make namespaces and to mount /proc.';

function cannot(why: string, hint: string): HelveError {
  return new HelveError('invalid_config', `This machine cannot confine a program, so none is run: ${why}`, { hint });
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] || 'it says nothing';
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
