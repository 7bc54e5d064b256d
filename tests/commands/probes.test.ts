/** Escape attempts, each written to print WON if it succeeds. Those that can safely succeed are shown to do so outside. */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ground, missing, openGround, run, wall } from './ground.js';

const python = '/usr/bin/python3';
const why = missing ?? (existsSync(python) ? undefined : `needs ${python}`);

let ground: Ground;
beforeAll(async () => {
  ground = await openGround();
});
afterAll(async () => {
  await ground.close();
  await wall.close();
});

const prelude = `
import ctypes, errno, os, socket, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def call(number, *arguments):
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *[a if isinstance(a, bytes) else ctypes.c_long(a) for a in arguments])
    return result, errno.errorcode.get(ctypes.get_errno(), '')
def won(what=''):
    print('WON', what)
def reads(path):
    data = open(path, 'rb').read(200000)
    print(data.decode('latin-1'))
    if data: won(path)
def writes(path, data='x'):
    with open(path, 'w') as file: file.write(data)
    won(path)
def succeeds(number, *arguments):
    result, error = call(number, *arguments)
    print(result, error)
    if result >= 0: won()
FOLDER, SECRET, PORT, ABSTRACT, HOSTPID = sys.argv[1:6]
`;

/** On x86_64 and aarch64. */
const number = (x64: number, arm64: number) => String(process.arch === 'x64' ? x64 : arm64);

const probes: Readonly<Record<string, string>> = {
  'the shadow file': `reads('/etc/shadow')`,
  'a private key of root': `reads('/root/.ssh/id_rsa')`,
  'the home of root': `print(os.listdir('/root')); won()`,
  'homes of users': `print(os.listdir('/home')); won()`,
  'a file that everyone may read': `reads(SECRET)`,
  'a folder that everyone may write': `writes(FOLDER + '/made')`,
  'the environment of the first process': `
data = open('/proc/1/environ','rb').read(); print(data)
if b'CANARY' in data: won()`,
  'the environment of the host process': `reads('/proc/' + HOSTPID + '/environ')`,
  'any environment there is': `
for pid in filter(str.isdigit, os.listdir('/proc')):
    try: print(open('/proc/%s/environ' % pid, 'rb').read())
    except OSError: pass
if int(HOSTPID) > 200 and os.path.exists('/proc/' + HOSTPID): won('sees the host')`,
  'its own environment': `
print(dict(os.environ))
if set(os.environ) - {'PATH', 'HOME', 'TMPDIR', 'LANG', 'USER', 'PWD', 'LC_CTYPE'}: won()`,
  'the memory of the kernel': `reads('/proc/kcore')`,
  'the memory of the machine': `reads('/dev/mem')`,
  'the keys of the kernel': `reads('/proc/keys')`,
  'symbols of the kernel': `reads('/proc/kallsyms')`,
  'the command line of the kernel': `reads('/proc/cmdline')`,
  'its log': `succeeds(${number(103, 116)}, 3, b' ' * 4096, 4096)`,
  'the root of the first process': `print(os.listdir('/proc/1/root/home')); won()`,
  'tracing the first process': `succeeds(${number(101, 117)}, 16, 1, 0, 0)`,
  'being traced': `succeeds(${number(101, 117)}, 0, 0, 0, 0)`,
  'the first process as a way around the limits': `
for line in open('/proc/1/limits'):
    if line.startswith(('Max data', 'Max processes', 'Max cpu', 'Max file size', 'Max open', 'Max core', 'Max locked', 'Max msgqueue', 'Max pending')):
        print(line)
        if 'unlimited' in line: won(line)
for line in open('/proc/1/status'):
    if line.startswith(('CapEff', 'CapPrm', 'CapBnd')) and int(line.split()[1], 16): won(line)
    if line.startswith('Seccomp:') and line.split()[1] != '2': won(line)`,
  'reading another process': `succeeds(${number(310, 270)}, 1, 0, 0, 0, 0, 0)`,
  'a mount': `succeeds(${number(165, 40)}, b'none', b'/tmp', b'tmpfs', 0, 0)`,
  'taking a mount away': `succeeds(${number(166, 39)}, b'/etc/passwd', 2)`,
  'making a folder writable': `succeeds(${number(165, 40)}, b'none', b'/usr', b'none', 0x1020, 0)`,
  'the new calls for mounts': `
for n in (428, 429, 430, 431, 432, 433, 442):
    result, error = call(n, 0, 0, 0, 0, 0)
    print(n, result, error)
    if error not in ('EPERM', 'ENOSYS'): won(n)`,
  'a user namespace by unshare': `succeeds(${number(272, 97)}, 0x10000000)`,
  'a user namespace by clone': `
result, error = call(${number(56, 220)}, 0x10000011, 0, 0, 0, 0)
if result == 0: os._exit(0)
print(result, error)
if result > 0: won()`,
  'a user namespace by clone3': `
args = struct.pack('<8Q', 0x10000000, 0, 0, 0, 17, 0, 0, 0)
result, error = call(435, args, 64)
if result == 0: os._exit(0)
print(result, error)
if error != 'ENOSYS': won()`,
  'the namespaces of the first process': `
for name in os.listdir('/proc/1/ns'):
    result, error = call(${number(308, 268)}, os.open('/proc/1/ns/' + name, os.O_RDONLY), 0)
    print(name, result, error)
    if error != 'EPERM': won(name)`,
  'another root': `succeeds(${number(161, 51)}, b'/tmp')`,
  'pivoting the root': `succeeds(${number(155, 41)}, b'/tmp', b'/tmp')`,
  'becoming root': `os.setuid(0); won()`,
  'programs that make root': `
import subprocess
for program in ('su', 'mount', 'passwd', 'newgrp', 'chsh'):
    done = subprocess.run([program, '-c', 'id'], capture_output=True, stdin=subprocess.DEVNULL)
    print(program, done)
    if b'uid=0' in done.stdout: won(program)
for line in open('/proc/self/status'):
    if line.startswith(('CapEff', 'CapPrm', 'CapBnd', 'CapAmb')) and int(line.split()[1], 16): won(line)`,
  'a file that makes root': `
open('/work/s', 'wb').write(open('/usr/bin/id', 'rb').read()); os.chmod('/work/s', 0o6755)
import subprocess
out = subprocess.run(['/work/s'], capture_output=True).stdout
print(out)
if b'uid=0' in out or b'euid' in out: won()`,
  'a raw socket': `socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP); won()`,
  'a packet socket': `socket.socket(socket.AF_PACKET, socket.SOCK_RAW); won()`,
  'sockets of odd families': `
for family in (15, 17, 21, 26, 29, 31, 38, 40, 44):
    try: socket.socket(family, socket.SOCK_DGRAM); won(family)
    except OSError as error: print(family, error)
    try: socket.socket(family, socket.SOCK_SEQPACKET); won(family)
    except OSError as error: print(family, error)`,
  'a service on the loopback': `socket.create_connection(('127.0.0.1', int(PORT)), 2); won()`,
  'a service on all addresses': `
for host in ('127.0.0.1', '::1', '10.0.0.1', '169.254.169.254', '192.168.0.1'):
    try: socket.create_connection((host, int(PORT) + 1), 1); won(host)
    except OSError as error: print(host, error)`,
  'a name server': `
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.settimeout(1)
for host in ('8.8.8.8', '10.0.0.2', '169.254.169.253'):
    try: s.sendto(b'\\0' * 17, (host, 53)); won(host)
    except OSError as error: print(host, error)`,
  'an abstract socket': `
# Node fills the name up with zeros in some versions.
for name in ('\\0' + ABSTRACT, ('\\0' + ABSTRACT).ljust(108, '\\0')):
    try: socket.socket(socket.AF_UNIX).connect(name.encode()); won()
    except OSError as error: print(error)`,
  'interfaces besides the loopback': `
print(os.listdir('/sys/class/net') if os.path.exists('/sys') else '', socket.if_nameindex())
if [name for _, name in socket.if_nameindex() if name != 'lo']: won()`,
  'a link out of the work folder': `
os.symlink(SECRET, '/work/link'); os.symlink('/proc/1/root' + SECRET, '/work/other'); os.symlink('../' * 20 + SECRET[1:], '/work/third')
for name in ('link', 'other', 'third'):
    try: reads('/work/' + name)
    except OSError as error: print(error)`,
  'a hard link to a program': `os.link('/usr/bin/id', '/work/id'); won()`,
  'killing all processes': `
try: os.kill(int(HOSTPID), 0); won('the host')
except OSError as error: print(error)
try: os.kill(1, 9)
except OSError as error: print(error)
print('the first process lives', os.path.exists('/proc/1'))`,
  'writing where programs are': `writes('/usr/bin/made')`,
  'writing over a program': `writes('/usr/bin/true')`,
  'writing into the root': `writes('/made')`,
  'writing beside devices': `writes('/dev/made')`,
  'writing users': `writes('/etc/passwd', 'root::0:0::/:/bin/sh')`,
  'settings of the kernel': `
for path in ('/proc/sys/kernel/core_pattern', '/proc/sysrq-trigger', '/proc/sys/kernel/hostname', '/proc/sys/vm/drop_caches', '/sys/kernel/uevent_helper'):
    try: writes(path)
    except OSError as error: print(error)`,
  'groups of processes of the kernel': `
for base, _, names in os.walk('/sys/fs/cgroup'):
    won(base)`,
  'a device': `os.mknod('/work/mem', 0o20666, os.makedev(1, 1)); won()`,
  'a disk': `os.mknod('/work/disk', 0o60666, os.makedev(254, 0)); won()`,
  'typing into the terminal': `
import fcntl
for request in (0x5412, 0x541c, 0x7_0000_5412):
    result, error = call(${number(16, 29)}, 0, request, b'x')
    print(result, error)
    if error != 'EPERM': won(request)
try: os.open('/dev/tty', os.O_RDWR); won('has a terminal')
except OSError as error: print(error)`,
  keys: `
for n, arguments in ((${number(250, 219)}, (0, -3, 1)), (${number(248, 217)}, (b'user', b'k', b'v', 1, -3)), (${number(249, 218)}, (b'user', b'k', 0, 0))):
    result, error = call(n, *arguments)
    print(n, result, error)
    if error != 'EPERM': won(n)`,
  'programs in the kernel': `
for n in (${number(321, 280)}, ${number(298, 241)}, ${number(323, 282)}, 425, 426, 427):
    result, error = call(n, 0, b'\\0' * 128, 120, 0, 0)
    print(n, result, error)
    if error != 'EPERM': won(n)`,
  'files by handle': `
for n in (${number(303, 264)}, ${number(304, 265)}):
    result, error = call(n, -100, b'/usr', b'\\0' * 256, 0, 0)
    print(n, result, error)
    if error != 'EPERM': won(n)`,
  'memory outside the limits': `
for n, arguments in ((${number(319, 279)}, (b'x', 0)), (447, (0,)), (${number(29, 194)}, (0, 1 << 20, 0o1600)), (${number(68, 186)}, (0, 0o1600))):
    result, error = call(n, *arguments)
    print(n, result, error)
    if error != 'ENOSYS': won(n)`,
  'the clock, the name and the power': `
for n, arguments in ((${number(164, 170)}, (b'\\0' * 16, 0)), (${number(170, 161)}, (b'x', 1)), (${number(169, 142)}, (0xfee1dead, 672274793, 0, 0)), (${number(163, 89)}, (0,)), (${number(167, 224)}, (b'/x', 0))):
    result, error = call(n, *arguments)
    print(n, result, error)
    if error != 'EPERM': won(n)`,
  'modules of the kernel': `
for n in (${number(175, 105)}, ${number(313, 273)}, ${number(176, 106)}, ${number(246, 104)}, ${number(320, 294)}):
    result, error = call(n, 0, 0, 0, 0, 0)
    print(n, result, error)
    if error != 'EPERM': won(n)`,
  'another personality': `succeeds(${number(135, 92)}, 0x0040000)`,
  'raising its limits': `
import resource
for which in (resource.RLIMIT_DATA, resource.RLIMIT_NPROC, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE, resource.RLIMIT_CORE):
    soft, hard = resource.getrlimit(which)
    print(which, soft, hard)
    if hard == resource.RLIM_INFINITY: won(which)
    try: resource.setrlimit(which, (hard, hard + 1)); won(which)
    except (ValueError, OSError) as error: print(error)`,
  'open files of the host': `
for name in os.listdir('/proc/self/fd'):
    try: target = os.readlink('/proc/self/fd/' + name)
    except OSError: continue
    print(name, target)
    if int(name) > 2 and target != '/dev/null' and not target.startswith('/proc/'): won(target)`,
  'passing descriptors through its own output': `
s = socket.socket(fileno=os.dup(1))
try:
    s.setblocking(False)
    data, ancillary, _, _ = s.recvmsg(10, 1000)
    if data or ancillary: won()
except OSError as error: print(error)`,
  'other sandboxes': `
pids = [int(p) for p in os.listdir('/proc') if p.isdigit()]
print(pids)
if len(pids) > 4: won()`,
};

const probe = (name: string) => `${prelude}
try:
${(probes[name] ?? '')
  .trim()
  .split('\n')
  .map((line) => `    ${line}`)
  .join('\n')}
except Exception as error: print('held:', repr(error))
print('END')
`;
const facts = () => [ground.folder, ground.secretFile, String(ground.port), ground.abstract, String(process.pid)];

describe.skipIf(why)(`from inside${why ? ` (skipped: ${why})` : ''}`, () => {
  test.for(Object.keys(probes))('R-shell: not won: %s', async (name) => {
    const result = await run(['python3', '-c', probe(name), ...facts()]);
    const said = `${result.stdout}${result.stderr}`;
    expect(said).not.toContain('WON');
    expect(result.stdout.trimEnd().endsWith('END'), said).toBe(true);
    expect(ground.leaks(said)).toEqual([]);
    expect(ground.touched()).toEqual([]);
  });

  test.skipIf(process.arch !== 'x64')('R-shell: a call of the x32 or the 32-bit table ends the process', async () => {
    const x32 = await run(['python3', '-c', `${prelude}\nsucceeds(0x40000000 + 39)`, ...facts()]);
    expect([x32.signal, x32.stdout]).toEqual(['SIGSYS', '']);
    // mov eax, 20 (getpid); int 0x80; ret
    const code = `${prelude}
import mmap
page = mmap.mmap(-1, 4096, prot=7)
page.write(b'\\xb8\\x14\\0\\0\\0\\xcd\\x80\\xc3')
ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
won()`;
    const old = await run(['python3', '-c', code, ...facts()]);
    expect([old.signal, old.stdout]).toEqual(['SIGSYS', '']);
  });
});

describe.skipIf(!existsSync(python))('outside', () => {
  const wins = [
    'a file that everyone may read',
    'a folder that everyone may write',
    'its own environment',
    'a service on the loopback',
    'an abstract socket',
    'a user namespace by clone3',
    'memory outside the limits',
    'another personality',
    'other sandboxes',
  ];
  test.for(wins)('R-shell: the attempt is a real one: %s', async (name) => {
    const said = await promisify(execFile)(python, ['-c', probe(name), ...facts()]);
    expect(said.stdout).toContain('WON');
    ground.touched();
    execFileSync('rm', ['-f', `${ground.folder}/made`]);
  });
});
