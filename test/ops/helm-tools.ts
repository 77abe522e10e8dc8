import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { installOnce, pythonWith, runInstaller } from '../installations.ts'

/** Programs of the suite for the Helm chart: Helm, compiled from source, and a Python with kubernetes-validate. */

const HELM_VERSION = 'v3.22.0'
const KUBERNETES_VALIDATE_VERSION = '1.37.0'

const CHART = fileURLToPath(new URL('../../deploy/helm/heddle', import.meta.url))
const INSPECT = fileURLToPath(new URL('helm-inspect.py', import.meta.url))
/** Rendered manifests of ten value sets, with the dashboard. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

const execute = promisify(execFile)

interface EnvironmentVariable {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: { readonly secretKeyRef?: { readonly name: string; readonly key: string } }
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
  readonly periodSeconds: number
  readonly failureThreshold: number
}

export interface Container {
  readonly name: string
  readonly image: string
  readonly args?: readonly string[]
  readonly env?: readonly EnvironmentVariable[]
  readonly startupProbe?: Probe
  readonly readinessProbe?: Probe
  readonly livenessProbe?: Probe
  readonly lifecycle?: unknown
  readonly resources: { readonly limits?: { readonly memory?: string } }
  readonly securityContext: Record<string, unknown>
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[]
}

export interface PodSpec {
  readonly containers: readonly Container[]
  readonly initContainers?: readonly Container[]
  readonly securityContext: Record<string, unknown>
  readonly automountServiceAccountToken?: boolean
  readonly enableServiceLinks?: boolean
  readonly terminationGracePeriodSeconds?: number
  readonly volumes?: readonly Record<string, unknown>[]
  readonly topologySpreadConstraints?: readonly { readonly topologyKey: string }[]
  readonly hostNetwork?: boolean
  readonly hostPID?: boolean
  readonly hostIPC?: boolean
}

/** A Kubernetes object, with the fields that the checks read. */
export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace: string
    readonly labels: Record<string, string>
    readonly annotations?: Record<string, string>
  }
  readonly spec: PodSpec &
    Record<string, unknown> & {
      readonly replicas?: number
      readonly selector?: { readonly matchLabels: Record<string, string> }
      readonly template?: {
        readonly metadata: { readonly labels: Record<string, string> }
        readonly spec: PodSpec
      }
    }
  readonly data?: Record<string, string>
}

export interface Rendered {
  readonly documents: readonly Manifest[]
  /** What kubernetes-validate says against them. */
  readonly errors: readonly string[]
}

/**
 * Helm of a fixed version, or the one that the variable `HELM` names. Compiled with Go: 3 minutes of CPU time on first use,
 * 4 with optimizations, which rendering does not need.
 */
export async function installHelm(): Promise<string> {
  const installed = process.env['HELM']
  if (installed !== undefined) return installed
  const directory = await installOnce(`helm-${HELM_VERSION}`, async (path) => {
    await mkdir(path, { recursive: true })
    const flags = ['-gcflags=all=-N -l', '-ldflags=-s -w']
    const source = `helm.sh/helm/v3/cmd/helm@${HELM_VERSION}`
    await runInstaller('env', [`GOBIN=${path}`, 'go', 'install', ...flags, source])
  })
  return join(directory, 'helm')
}

export function kubernetesPython(): Promise<string> {
  return pythonWith(`kubernetes-validate-${KUBERNETES_VALIDATE_VERSION}`, [
    `kubernetes-validate==${KUBERNETES_VALIDATE_VERSION}`,
  ])
}

export async function lint(helm: string, valuesFile: string): Promise<void> {
  await run(helm, ['lint', '--strict', '--quiet', '--values', valuesFile, CHART])
}

export async function template(helm: string, args: readonly string[]): Promise<string> {
  return run(helm, ['template', 'release', CHART, '--namespace', 'traces', '--kube-version', '1.30', ...args])
}

/** Renders the chart with each of the value files, and validates all objects. */
export async function renderAll(
  helm: string,
  python: string,
  valueFiles: readonly string[],
  directory: string,
): Promise<Map<string, Rendered>> {
  const outputs = valueFiles.map((file, index) => [file, join(directory, `rendered-${index}.yaml`)] as const)
  for (const [file, output] of outputs) await writeFile(output, await template(helm, ['--values', file]))
  const json = await run(python, [INSPECT, ...outputs.map(([, output]) => output)])
  const inspected = JSON.parse(json) as Record<string, Rendered>
  return new Map(outputs.map(([file, output]) => [file, inspected[output] ?? { documents: [], errors: [] }]))
}

/** Standard output of a program; an error has its whole output as message. */
async function run(command: string, args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await execute(command, args, { maxBuffer: MAX_OUTPUT_BYTES })
    return stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${stdout}${stderr}`.trim() || String(error), { cause: error })
  }
}
