import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { SandboxChild } from '../../src/sandbox/child-process.ts'
import { openSandbox } from '../../src/sandbox/create-sandbox.ts'
import { probeIsolation } from '../../src/sandbox/index.ts'
import { find, type Launch, namespaceLaunch, processLaunch } from '../../src/sandbox/launch.ts'
import type { ProbeFindings } from '../../src/sandbox/protocol.ts'
import { findRuntimeFiles } from '../../src/sandbox/runtime-files.ts'
import { childProcesses, puppetJob, puppetSandbox } from './puppet.ts'

const probed = await probeIsolation()
const jailed = probed.isolation === 'isolate+process+namespace'

describe('the level of isolation', () => {
  test('is given with reasons in words, and the probe leaves no process', () => {
    expect(probed.reasons.length).toBeGreaterThan(0)
    expect(childProcesses()).toEqual([])
    if (find('bwrap') === undefined) expect(probed.reasons.join()).toContain('bubblewrap')
  })

  test('is not claimed for a child without a namespace: the same probe gets out of it', async () => {
    const { args, ...launch } = processLaunch(await findRuntimeFiles())
    // Node's own permission model would hide what the operating system lets through.
    const bare = args.filter((arg) => !/^--(permission|allow-)/.test(arg))
    const findings = await probeLaunch({ ...launch, args: bare })
    expect(findings).toMatchObject({ read: true, write: true, connect: true, fork: true, processes: true })
  })

  test.runIf(jailed).each([
    { hole: 'a network', options: ['--share-net'], finding: { connect: true } },
    { hole: 'a writable folder', options: ['--bind', '/var/tmp', '/var/tmp'], finding: { write: true } },
    {
      hole: 'a capability',
      options: ['--cap-add', 'CAP_SYS_PTRACE'],
      finding: { capabilities: expect.stringMatching(/[1-9a-f]/) },
    },
  ])('is not claimed for a namespace with $hole', async ({ options, finding }) => {
    const launch = namespaceLaunch(await findRuntimeFiles())
    if (!('args' in launch)) throw new Error(launch.reason)
    const at = launch.args.indexOf('--remount-ro')
    const args = launch.args.toSpliced(at, 0, ...options)
    expect(await probeLaunch({ ...launch, args })).toMatchObject({ read: false, ...finding })
    const whole = {
      read: false,
      write: false,
      connect: false,
      processes: false,
      capabilities: expect.stringMatching(/^0+$/),
    }
    expect(await probeLaunch(launch)).toMatchObject(whole)
  })
})

/** What the probe finds in a child that is started so. */
async function probeLaunch(launch: Launch): Promise<ProbeFindings> {
  const child = new SandboxChild(launch)
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await child.ready
  const findings = await child.probe({
    readPath: fileURLToPath(import.meta.url),
    writeFolder: '/var/tmp',
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    forks: 3,
  })
  await child.close()
  server.close()
  return findings
}

test('a child is found through a link, as packages are linked', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'redgreen-link-'))
  const link = join(folder, 'puppet.cjs')
  symlinkSync(fileURLToPath(new URL('../fixtures/processes/puppet.cjs', import.meta.url)), link)
  const sandbox = openSandbox({ maxChildren: 1, warm: 0, namespace: 'off' }, link)
  const { end } = await sandbox.run(puppetJob('pass'), { scope: 's' })
  await sandbox.close()
  rmSync(folder, { recursive: true })
  expect(end).toEqual({ kind: 'completed' })
})

describe.each(jailed ? (['off', 'auto'] as const) : (['off'] as const))('a child with namespace %s', (namespace) => {
  test('stamps its level on the outcome', async () => {
    await using sandbox = puppetSandbox({ namespace })
    const { isolation } = await sandbox.run(puppetJob('pass'), { scope: 's' })
    expect(isolation).toBe(namespace === 'off' ? 'isolate+process' : 'isolate+process+namespace')
    expect(await sandbox.isolation).toBe(isolation)
  })

  test('sees nothing of the environment of its host', async () => {
    process.env.REDGREEN_TEST_SECRET = 'secret'
    await using sandbox = puppetSandbox({ namespace })
    const { stdout } = await sandbox.run(puppetJob('environment'), { scope: 's' })
    delete process.env.REDGREEN_TEST_SECRET
    expect(
      Object.keys(JSON.parse(stdout)).filter((name) => !['TZ', 'PWD', '_', 'SHLVL', 'OLDPWD'].includes(name)),
    ).toEqual([])
  })

  test.runIf(namespace === 'auto')('inherits its channel and no other descriptor of its host', async () => {
    await using sandbox = puppetSandbox({ namespace })
    const { stdout } = await sandbox.run(puppetJob('descriptors'), { scope: 's' })
    const foreign = stdout.split('\n').filter((line) => !/anon_inode|\/dev\/null|closed$/.test(line))
    // Node has pipes of its own, both ends of each.
    const pipes = foreign.filter((line) => line.includes('pipe:')).map((line) => line.split(' ')[1])
    expect(pipes.filter((pipe) => pipes.indexOf(pipe) === pipes.lastIndexOf(pipe))).toEqual([])
    expect(foreign.filter((line) => !line.includes('pipe:')).map((line) => line.replace(/\d+\]$/, ''))).toEqual([
      '2 socket:[',
      '3 socket:[',
    ])
  })

  test('does not outlive a host that is killed in the middle of a job', async () => {
    const fixture = fileURLToPath(new URL('../fixtures/processes/host.ts', import.meta.url))
    const host = spawn(process.execPath, [fixture, namespace], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = await once(host.stdout.setEncoding('utf8'), 'data')
    const children: number[] = JSON.parse(line)
    expect(children.length).toBeGreaterThan(0)
    host.kill('SIGKILL')
    await expect.poll(() => children.filter((pid) => existsSync(`/proc/${pid}`)), { timeout: 10_000 }).toEqual([])
  })
})
