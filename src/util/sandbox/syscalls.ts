/**
 * System calls that no command in the sandbox may make. It has no privileges there, so most of them would fail anyway;
 * each has been used to exploit a past kernel bug, or uses memory that no limit counts.
 *
 * Numbers are of x86_64 and aarch64, from the kernel's unistd headers; null: the architecture does not have it.
 */

export interface SyscallRow {
  readonly x64: number | null;
  readonly arm64: number | null;
}

const row = (x64: number | null, arm64: number | null): SyscallRow => ({ x64, arm64 });

/** Answered with EPERM. */
export const forbiddenCalls = {
  // Inspecting other processes.
  ptrace: row(101, 117),
  process_vm_readv: row(310, 270),
  process_vm_writev: row(311, 271),
  process_madvise: row(440, 440),
  pidfd_getfd: row(438, 438),
  kcmp: row(312, 272),
  // Mounts and namespaces.
  mount: row(165, 40),
  umount2: row(166, 39),
  move_mount: row(429, 429),
  open_tree: row(428, 428),
  open_tree_attr: row(467, 467),
  fsopen: row(430, 430),
  fsconfig: row(431, 431),
  fsmount: row(432, 432),
  fspick: row(433, 433),
  mount_setattr: row(442, 442),
  pivot_root: row(155, 41),
  chroot: row(161, 51),
  unshare: row(272, 97),
  setns: row(308, 268),
  open_by_handle_at: row(304, 265),
  name_to_handle_at: row(303, 264),
  // Keys, programs that run in the kernel, and other large interfaces.
  keyctl: row(250, 219),
  add_key: row(248, 217),
  request_key: row(249, 218),
  bpf: row(321, 280),
  perf_event_open: row(298, 241),
  userfaultfd: row(323, 282),
  io_uring_setup: row(425, 425),
  io_uring_enter: row(426, 426),
  io_uring_register: row(427, 427),
  fanotify_init: row(300, 262),
  fanotify_mark: row(301, 263),
  vmsplice: row(278, 75),
  remap_file_pages: row(216, 234),
  mbind: row(237, 235),
  set_mempolicy: row(238, 237),
  set_mempolicy_home_node: row(450, 450),
  migrate_pages: row(256, 238),
  move_pages: row(279, 239),
  personality: row(135, 92),
  modify_ldt: row(154, null),
  lookup_dcookie: row(212, 18),
  // The machine itself.
  kexec_load: row(246, 104),
  kexec_file_load: row(320, 294),
  init_module: row(175, 105),
  finit_module: row(313, 273),
  delete_module: row(176, 106),
  create_module: row(174, null),
  get_kernel_syms: row(177, null),
  query_module: row(178, null),
  swapon: row(167, 224),
  swapoff: row(168, 225),
  reboot: row(169, 142),
  quotactl: row(179, 60),
  quotactl_fd: row(443, 443),
  acct: row(163, 89),
  settimeofday: row(164, 170),
  clock_settime: row(227, 112),
  clock_adjtime: row(305, 266),
  adjtimex: row(159, 171),
  sethostname: row(170, 161),
  setdomainname: row(171, 162),
  syslog: row(103, 116),
  iopl: row(172, null),
  ioperm: row(173, null),
  uselib: row(134, null),
  ustat: row(136, null),
  sysfs: row(139, null),
  _sysctl: row(156, null),
  nfsservctl: row(180, 42),
  vhangup: row(153, 58),
  vserver: row(236, null),
} as const satisfies Record<string, SyscallRow>;

/** Answered with ENOSYS, so that programs use an older call: memory outside every limit, and a clone that no filter can read. */
export const absentCalls = {
  clone3: row(435, 435),
  memfd_create: row(319, 279),
  memfd_secret: row(447, 447),
  shmget: row(29, 194),
  msgget: row(68, 186),
  semget: row(64, 190),
} as const satisfies Record<string, SyscallRow>;

/** Checked together with their arguments. */
export const examinedCalls = {
  clone: { x64: 56, arm64: 220 },
  ioctl: { x64: 16, arm64: 29 },
  socket: { x64: 41, arm64: 198 },
} as const;
