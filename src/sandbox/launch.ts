import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
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
  const [command, ...args] = node
  if (process.platform === 'win32' || command === undefined) {
    return { isolation: 'isolate+process', command: files.node, args, environment, wrapped: false }
  }
  const setpriv = process.platform === 'linux' ? find('setpriv') : undefined
  if (!setpriv) return { isolation: 'isolate+process', ...withoutCoreDumps(node), environment, wrapped: false }
  const dropped = process.getuid?.() === 0 && [files.node, files.entry, files.addon].every(isReadableByAll)
  const account = ['--reuid', `${unprivilegedId}`, '--regid', `${unprivilegedId}`, '--clear-groups', '--inh-caps=-all']
  const chain = [setpriv, ...(dropped ? account : []), '--no-new-privs', '--pdeathsig', 'KILL', '--', ...node]
  return {
    isolation: 'isolate+process',
    ...withoutCoreDumps(chain),
    environment,
    wrapped: false,
    ...(dropped ? { accountId: unprivilegedId } : {}),
  }
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
  const [unshare, mount, setpriv] = [find('unshare'), find('mount'), find('setpriv')]
  if (!unshare || !mount || !setpriv) {
    return {
      isolation,
      reason: 'started as root, and unshare, mount and setpriv (util-linux) to drop it are not there',
    }
  }
  const stage = stageFolders.find(
    (folder) => existsSync(folder) && !isAbove(folder, [files.node, files.entry, files.addon]),
  )
  if (!stage)
    return { isolation, reason: `started as root, and no folder of ${stageFolders.join(', ')} is free to bind in` }
  const staged = { node: `${stage}/node`, entry: `${stage}/entry`, addon: `${stage}/addon` }
  const chain = [
    ...[unshare, '--mount', '--', '/bin/sh', '-c', stageScript],
    ...[mount, stage, files.node, files.entry, files.addon],
    // Directly below the host: the kernel's signal at a parent's death is the parent's, and an unprivileged process
    // between the two could not send it to another account.
    ...[setpriv, '--reuid', `${unprivilegedId}`, '--regid', `${unprivilegedId}`, '--clear-groups'],
    ...['--no-new-privs', '--inh-caps=-all', '--pdeathsig', 'KILL', '--'],
    ...[bubblewrap, ...jail({ ...files, ...staged }, files.libraries), '--', ...child],
  ]
  return { isolation, ...withoutCoreDumps(chain), environment, wrapped: true, accountId: unprivilegedId }
}

/** Folders that exist on every Linux and hold neither tools nor libraries. */
const stageFolders = ['/run', '/mnt', '/tmp']

/** In a mount namespace of its own: what it mounts is gone with the last process in it. */
const stageScript = `set -e
mount=$0 stage=$1
"$mount" -t tmpfs -o size=64k,mode=755 tmpfs "$stage"
: >"$stage/node" ; : >"$stage/entry" ; : >"$stage/addon"
"$mount" --bind "$2" "$stage/node"
"$mount" --bind "$3" "$stage/entry"
"$mount" --bind "$4" "$stage/addon"
shift 4
exec "$@"`

function isAbove(folder: string, paths: readonly string[]): boolean {
  return paths.some((path) => path.startsWith(`${folder}/`))
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

/** Whether an account that owns nothing can reach and read a file. */
function isReadableByAll(path: string): boolean {
  if ((statSync(path).mode & 0o004) === 0) return false
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
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
