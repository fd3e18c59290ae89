import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Isolation } from '../domain/report.ts'
import type { RuntimeFiles } from './runtime-files.ts'

/** How a child is started: a command line for one of the walls. */
export interface Launch {
  readonly isolation: Isolation
  readonly command: string
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** The spawned process is a wrapper, and the child is the innermost process below it. */
  readonly wrapped: boolean
  /** The account of the child where it is not the host's own. */
  readonly accountId?: number
}

/** A level that this machine cannot give, and why, in words for `redgreen doctor`. */
export interface Unavailable {
  readonly isolation: Isolation
  readonly reason: string
}

/**
 * Who a child is when redgreen runs as root: a number that no account has, because processes of one account may
 * signal each other. Within the 65,536 that rootless containers map.
 */
const unprivilegedId = 64_753
const temporaryBytes = '1048576'
/** Where the runtime is seen from inside the namespace. */
const inside = { node: '/redgreen/node', entry: '/redgreen/child.cjs', addon: '/redgreen/isolated_vm.node' }
const environment = { TZ: 'UTC' }

/** isolated-vm and Node's start-up snapshot do not go together (its documentation says so). */
const nodeFlags = ['--no-node-snapshot', '--no-warnings']

/** Wall 2: a process of its own with an emptied environment and Node's permission model. */
export function processLaunch(files: RuntimeFiles): Launch {
  const node = [
    files.node,
    ...nodeFlags,
    // It stops neither the network nor native code; what it does stop is a guest that got hold of Node's own modules.
    '--permission',
    '--allow-addons',
    `--allow-fs-read=${files.entry}`,
    `--allow-fs-read=${files.addon}`,
    files.entry,
    files.addon,
  ]
  const setpriv = find('setpriv')
  if (process.platform === 'win32') {
    const [command = files.node, ...args] = node
    return { isolation: 'isolate+process', command, args, environment, wrapped: false }
  }
  const chain = [...(process.platform === 'linux' && setpriv ? [setpriv, '--pdeathsig', 'KILL', '--'] : []), ...node]
  return { isolation: 'isolate+process', ...withoutCoreDumps(chain), environment, wrapped: false }
}

/** Wall 3: bubblewrap with every namespace of its own, no capability, and nothing but the runtime to see. */
export function namespaceLaunch(files: RuntimeFiles): Launch | Unavailable {
  const isolation = 'isolate+process+namespace'
  if (process.platform !== 'linux') {
    return { isolation, reason: `namespaces exist on Linux only, this is ${process.platform}` }
  }
  const bubblewrap = find('bwrap')
  if (!bubblewrap) return { isolation, reason: 'bubblewrap (bwrap) is not on the PATH' }
  const child = [inside.node, ...nodeFlags, inside.entry, inside.addon]
  const isRoot = process.getuid?.() === 0
  if (!isRoot) {
    const chain = [bubblewrap, ...jail(files, files.libraries), '--', ...child]
    return { isolation, ...withoutCoreDumps(chain), environment, wrapped: true }
  }
  // Host root stays host root in a user namespace: limits on processes and modes of files would not hold. So root binds
  // what may lie in a folder that only root can enter, becomes nobody, and only then enters the jail.
  const setpriv = find('setpriv')
  if (!setpriv) return { isolation, reason: 'started as root, and setpriv (util-linux) is not on the PATH to drop it' }
  const staged: RuntimeFiles = {
    ...files,
    node: '/tmp/node',
    entry: '/tmp/child.cjs',
    addon: '/tmp/isolated_vm.node',
  }
  const chain = [
    bubblewrap,
    '--die-with-parent',
    ...['--cap-add', 'CAP_SETUID', '--cap-add', 'CAP_SETGID'],
    ...['--bind', '/', '/', '--dev-bind', '/dev', '/dev', '--tmpfs', '/tmp'],
    ...['--ro-bind', files.node, staged.node],
    ...['--ro-bind', files.entry, staged.entry],
    ...['--ro-bind', files.addon, staged.addon],
    '--',
    setpriv,
    ...['--reuid', `${unprivilegedId}`, '--regid', `${unprivilegedId}`, '--clear-groups', '--no-new-privs'],
    ...['--inh-caps=-all', '--'],
    bubblewrap,
    ...jail(staged, files.libraries),
    '--',
    ...child,
  ]
  return { isolation, ...withoutCoreDumps(chain), environment, wrapped: true, accountId: unprivilegedId }
}

/** Bubblewrap's options for a namespace that holds the runtime, its libraries, and nothing else. */
function jail(files: RuntimeFiles, libraries: readonly string[]): string[] {
  return [
    ...['--unshare-all', '--unshare-user', '--disable-userns', '--cap-drop', 'ALL'],
    ...['--die-with-parent', '--new-session', '--hostname', 'redgreen'],
    ...['--clearenv', '--setenv', 'TZ', 'UTC'],
    ...libraries.flatMap((library) => ['--ro-bind', library, library]),
    ...['--ro-bind', files.node, inside.node],
    ...['--ro-bind', files.entry, inside.entry],
    ...['--ro-bind', files.addon, inside.addon],
    // Not bubblewrap's --dev: its /dev and /dev/shm are writable and of any size.
    ...['--dev-bind', '/dev/null', '/dev/null', '--dev-bind', '/dev/urandom', '/dev/urandom'],
    ...['--proc', '/proc', '--size', temporaryBytes, '--tmpfs', '/tmp', '--remount-ro', '/', '--chdir', '/'],
  ]
}

/** A crash must leave no file: a shell puts the limit on core dumps and becomes the command. */
function withoutCoreDumps(chain: readonly string[]): { command: string; args: string[] } {
  return { command: '/bin/sh', args: ['-c', 'ulimit -c 0; exec "$0" "$@"', ...chain] }
}

/** Looks a tool up as a shell would, and in the places where administrators' tools lie. */
export function find(tool: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/bin', '/usr/sbin', '/sbin']
  return folders
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, tool))
    .find((path) => existsSync(path) && isExecutable(path))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
