/**
 * Starts one Chromium per call, with an empty profile that is deleted afterwards. It never runs as root, since its own
 * sandbox would then have to be switched off: root switches to nobody first.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { HelveError } from '../../domain/errors.js';
import { type Protocol, speak } from './protocol.js';

export interface Chromium {
  readonly protocol: Protocol;
  /** The end of its standard error output. */
  lastWords(): string;
  close(): Promise<void>;
}

const nobody = 65_534;
const keptWords = 4_000;
const shutdownMs = 3_000;

const flags = [
  '--headless=new',
  '--remote-debugging-pipe',
  '--disable-gpu',
  '--disable-quic',
  '--disable-extensions',
  '--disable-sync',
  '--disable-translate',
  '--disable-default-apps',
  '--disable-component-update',
  '--disable-background-networking',
  '--disable-domain-reliability',
  '--disable-breakpad',
  '--disable-dev-shm-usage',
  '--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,DnsOverHttps,AsyncDns',
  '--no-first-run',
  '--no-default-browser-check',
  '--no-pings',
  '--mute-audio',
  '--hide-scrollbars',
  '--password-store=basic',
  // Nothing bypasses the proxy: no DNS look-up, no loopback exception, no WebRTC over UDP.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--proxy-bypass-list=<-loopback>',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--js-flags=--max-old-space-size=512',
];

export async function launchChromium(executable: string, proxy: string): Promise<Chromium> {
  const profile = await mkdtemp(join(tmpdir(), 'helve-browser-'));
  const asRoot = process.getuid?.() === 0;
  if (asRoot) await chown(profile, nobody, nobody);
  const child = spawn(
    executable,
    [...flags, `--proxy-server=http://${proxy}`, `--user-data-dir=${profile}`, 'about:blank'],
    {
      cwd: profile,
      // None of Helve's environment variables: they may be secret.
      env: {
        PATH: '/usr/bin:/bin',
        HOME: profile,
        TMPDIR: profile,
        LANG: 'C.UTF-8',
        XDG_CONFIG_HOME: profile,
        XDG_CACHE_HOME: profile,
      },
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      // A separate process group, so that its helpers end with it.
      detached: true,
      ...(asRoot ? { uid: nobody, gid: nobody } : {}),
    },
  );
  let words = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-keptWords);
  });
  child.on('error', (error) => {
    words += error.message;
  });
  return {
    protocol: speak(child.stdio[3] as Writable, child.stdio[4] as Readable),
    lastWords: () => words,
    async close() {
      await endTree(child);
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

function endTree(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return resolve();
    const late = setTimeout(resolve, shutdownMs);
    child.once('exit', () => {
      clearTimeout(late);
      resolve();
    });
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      child.kill('SIGKILL');
    }
  });
}

/** Chromium exits immediately if the kernel does not allow its sandbox. */
export function noStart(lastWords: string): HelveError {
  const sandbox = /sandbox|namespace/i.test(lastWords);
  return new HelveError(
    'invalid_config',
    sandbox
      ? 'Chromium cannot create its sandbox on this machine: user namespaces are not allowed'
      : 'Chromium did not start',
    {
      hint: sandbox
        ? 'Tell the operator to allow them: sysctl kernel.unprivileged_userns_clone=1, or kernel.apparmor_restrict_unprivileged_userns=0.'
        : 'Tell the operator to run helve doctor.',
    },
  );
}
