import assert from 'node:assert/strict'
import type { Container, Manifest, PodSpec } from './helm-tools.ts'
import type { OpsContext } from './suite.ts'

/** What must hold for the rendered objects of the Helm chart. */

const SECRET_NAME = /PASSWORD|SECRET|TOKEN|API_KEY|ACCESS_KEY$|OTLP_HEADERS/

function podOf(manifest: Manifest): PodSpec | undefined {
  if (manifest.kind === 'Pod') return manifest.spec
  return manifest.spec?.template?.spec
}

/** The restricted Pod Security Standard, a read-only root, and no secret in plain text, for every container of every pod. */
export function checkPods(documents: readonly Manifest[]): void {
  assert.ok(!documents.some(({ kind }) => kind === 'Secret'), 'the chart must not create secrets')
  const pods = documents.flatMap((manifest) => podOf(manifest) ?? [])
  assert.ok(pods.length >= 2, 'the server and the test')
  for (const pod of pods) {
    const { runAsNonRoot, runAsUser, seccompProfile } = pod.securityContext
    assert.deepEqual(
      { runAsNonRoot, seccompProfile },
      { runAsNonRoot: true, seccompProfile: RUNTIME_DEFAULT },
    )
    assert.notEqual(runAsUser, 0)
    assert.equal(pod.automountServiceAccountToken, false)
    // Otherwise Kubernetes sets HEDDLE_PORT=tcp://… for a service named heddle.
    assert.equal(pod.enableServiceLinks, false)
    assert.ok(!pod.hostNetwork && !pod.hostPID && !pod.hostIPC)
    for (const volume of pod.volumes ?? []) assert.ok(!('hostPath' in volume))
    for (const container of [...pod.containers, ...(pod.initContainers ?? [])]) checkContainer(container)
  }
}

const RUNTIME_DEFAULT = { type: 'RuntimeDefault' }

function checkContainer(container: Container): void {
  assert.deepEqual(container.securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    runAsNonRoot: true,
    capabilities: { drop: ['ALL'] },
    seccompProfile: RUNTIME_DEFAULT,
  })
  assert.ok(container.resources.limits?.memory, `${container.name} has no memory limit`)
  const names = (container.env ?? []).map(({ name }) => name)
  assert.deepEqual([...new Set(names)], names, 'a variable is set twice')
  for (const { name, value } of container.env ?? [])
    if (SECRET_NAME.test(name)) assert.equal(value, undefined, `${name} is in plain text`)
}

/** Everything that selects pods selects those of the server, and only those. */
export function checkSelectors(documents: readonly Manifest[]): void {
  const server = documents.find(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet')
  const labels = server?.spec.template?.metadata.labels ?? {}
  assert.equal(labels['app.kubernetes.io/component'], 'server')
  const selects = (selector: Record<string, string>, target: Record<string, string>): boolean =>
    Object.entries(selector).every(([name, value]) => target[name] === value)
  for (const manifest of documents) {
    const { kind, metadata, spec } = manifest
    assert.equal(metadata.labels['app.kubernetes.io/instance'], 'release', `${kind} ${metadata.name}`)
    if (kind === 'Service') {
      const selector = spec.selector as unknown as Record<string, string>
      assert.ok(selects(selector, labels), `${metadata.name} does not select the server`)
      assert.equal(selector['app.kubernetes.io/component'], 'server')
    }
    if (['Deployment', 'StatefulSet', 'PodDisruptionBudget'].includes(kind))
      assert.deepEqual(spec.selector?.matchLabels['app.kubernetes.io/component'], 'server')
  }
}

/** kubernetes-validate has no schemas of custom resources. */
export function checkCustomResources(documents: readonly Manifest[]): void {
  for (const manifest of documents) {
    if (!manifest.apiVersion.startsWith('monitoring.coreos.com/')) continue
    assert.equal(manifest.apiVersion, 'monitoring.coreos.com/v1')
    if (manifest.kind === 'ServiceMonitor') checkServiceMonitor(manifest, documents)
    else checkPrometheusRule(manifest)
  }
}

function checkServiceMonitor({ spec }: Manifest, documents: readonly Manifest[]): void {
  const selector = Object.entries(spec.selector?.matchLabels ?? {})
  const selected = documents.filter(
    ({ kind, metadata }) =>
      kind === 'Service' && selector.every(([name, value]) => metadata.labels[name] === value),
  )
  assert.equal(selected.length, 1, 'a ServiceMonitor must find one service, or pods are scraped twice')
  assert.deepEqual(spec['namespaceSelector'], { matchNames: ['traces'] })
  const [endpoint] = spec['endpoints'] as readonly Record<string, unknown>[]
  assert.equal(endpoint?.['path'], '/metrics')
  assert.equal(endpoint?.['port'], 'http')
  assert.deepEqual(endpoint?.['relabelings'], [{ targetLabel: 'job', replacement: 'heddle' }])
}

interface AlertGroup {
  readonly name: string
  readonly rules: readonly {
    readonly alert: string
    readonly expr: string
    readonly labels: Record<string, string>
    readonly annotations: Record<string, string>
  }[]
}

const alertsOf = ({ kind, spec }: Manifest): AlertGroup['rules'] => {
  assert.equal(kind, 'PrometheusRule')
  assert.deepEqual(Object.keys(spec), ['groups'])
  return (spec['groups'] as readonly AlertGroup[]).flatMap(({ rules }) => rules)
}

function checkPrometheusRule(manifest: Manifest): void {
  for (const rule of alertsOf(manifest)) {
    for (const key of Object.keys(rule)) assert.match(key, /^(alert|expr|for|labels|annotations)$/)
    assert.match(rule.labels['severity'] ?? '', /^(critical|warning)$/)
    assert.deepEqual(Object.keys(rule.annotations).toSorted(), ['description', 'runbook_url', 'summary'])
  }
}

/** What each value set of helm-values/ is there for. */
export async function checkWorkloads(
  check: OpsContext['check'],
  documentsOf: (valueSet: string) => readonly Manifest[],
): Promise<void> {
  const find = (valueSet: string, kind: string): Manifest | undefined =>
    documentsOf(valueSet).find((manifest) => manifest.kind === kind)
  const read = (valueSet: string, kind: string): Manifest => {
    const manifest = find(valueSet, kind)
    assert.ok(manifest, `${valueSet} has no ${kind}`)
    return manifest
  }
  const server = (valueSet: string, kind: string): Container => {
    const container = read(valueSet, kind).spec.template?.spec.containers[0]
    assert.ok(container)
    return container
  }
  const variable = (container: Container, name: string) => container.env?.find((entry) => entry.name === name)

  await check('the embedded ClickHouse is one pod with a volume that outlives the release', () => {
    const { spec } = read('embedded-default', 'StatefulSet')
    assert.equal(spec.replicas, 1)
    assert.deepEqual(spec['persistentVolumeClaimRetentionPolicy'], {
      whenDeleted: 'Retain',
      whenScaled: 'Retain',
    })
    const container = server('embedded-default', 'StatefulSet')
    assert.equal(container.image, 'heddle:0.1.0')
    // Below the mount point, which belongs to root and may contain lost+found.
    assert.equal(variable(container, 'HEDDLE_DATA')?.value, '/data/heddle')
    assert.ok(container.volumeMounts?.some(({ mountPath }) => mountPath === '/data'))
    assert.equal(find('embedded-default', 'Deployment'), undefined)
  })
  await check('probes: an outage of ClickHouse makes pods not ready and restarts none', () => {
    for (const [valueSet, kind] of [
      ['embedded-default', 'StatefulSet'],
      ['external-production', 'Deployment'],
    ] as const) {
      const { startupProbe, readinessProbe, livenessProbe } = server(valueSet, kind)
      assert.equal(startupProbe?.httpGet.path, '/healthz')
      assert.ok(startupProbe.periodSeconds * startupProbe.failureThreshold >= 600)
      assert.equal(readinessProbe?.httpGet.path, '/readyz')
      assert.equal(livenessProbe?.httpGet.path, '/healthz')
    }
  })
  await check('the grace period covers the preStop sleep and the graceful stop', () => {
    const { spec } = read('external-fixed-replicas', 'Deployment')
    assert.equal(spec.template?.spec.terminationGracePeriodSeconds, 60)
    assert.deepEqual(server('external-fixed-replicas', 'Deployment').lifecycle, {
      preStop: { sleep: { seconds: 15 } },
    })
  })
  await check(
    'an external ClickHouse: secrets by reference, migrations as a hook, replicas by the HPA',
    () => {
      const container = server('external-production', 'Deployment')
      assert.equal(container.image, 'registry.example.com/heddle:0.1.0-slim')
      assert.equal(read('external-production', 'Deployment').spec.replicas, undefined)
      assert.deepEqual(variable(container, 'HEDDLE_CLICKHOUSE_PASSWORD')?.valueFrom?.secretKeyRef, {
        name: 'heddle-clickhouse',
        key: 'password',
      })
      const job = read('external-production', 'Job')
      assert.equal(job.metadata.annotations?.['helm.sh/hook'], 'pre-install,pre-upgrade')
      const migrate = job.spec.template?.spec.containers[0]
      assert.deepEqual(migrate?.args, ['migrate'])
      assert.deepEqual(
        variable(migrate, 'HEDDLE_CLICKHOUSE_PASSWORD'),
        variable(container, 'HEDDLE_CLICKHOUSE_PASSWORD'),
      )
      const { minReplicas, maxReplicas } = read('external-production', 'HorizontalPodAutoscaler').spec
      assert.deepEqual({ minReplicas, maxReplicas }, { minReplicas: 3, maxReplicas: 12 })
      assert.equal(read('external-production', 'PodDisruptionBudget').spec['maxUnavailable'], 1)
    },
  )
  await check('one replica has no disruption budget, several have one', () => {
    assert.equal(find('external-minimal', 'PodDisruptionBudget'), undefined)
    assert.equal(find('embedded-default', 'PodDisruptionBudget'), undefined)
    assert.equal(read('external-fixed-replicas', 'PodDisruptionBudget').spec['minAvailable'], '50%')
    assert.equal(read('external-fixed-replicas', 'Deployment').spec.replicas, 3)
  })
  await check('pods spread over zones and nodes', () => {
    const keys = read('external-production', 'Deployment').spec.template?.spec.topologySpreadConstraints?.map(
      ({ topologyKey }) => topologyKey,
    )
    assert.deepEqual(keys, ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'])
  })
  await check('the network policy opens DNS and the ports of ClickHouse and S3', () => {
    const ports = (valueSet: string): unknown[] =>
      (read(valueSet, 'NetworkPolicy').spec['egress'] as { ports: { port: unknown }[] }[]).flatMap((rule) =>
        rule.ports.map(({ port }) => port),
      )
    assert.deepEqual(ports('external-production'), [53, 53, 6340, 8443, 443, 4318])
    assert.deepEqual(ports('external-fixed-replicas'), [53, 53, 6340, 443])
    assert.deepEqual(ports('external-ipv6'), [53, 53, 6340, 8443])
    assert.deepEqual(ports('embedded-ingress'), [53, 53, 6340])
  })
  await check('OTLP/gRPC has a port and an Ingress of its own, and can be switched off', () => {
    const ingresses = documentsOf('embedded-ingress').filter(({ kind }) => kind === 'Ingress')
    assert.deepEqual(
      ingresses.map(({ metadata }) => metadata.name),
      ['release-heddle', 'release-heddle-otlp-grpc'],
    )
    const container = server('embedded-trial', 'StatefulSet')
    assert.equal(variable(container, 'HEDDLE_OTLP_GRPC_PORT')?.value, 'off')
  })
  await check('all ten alerts, or those that are not disabled, with the address of the runbook', () => {
    assert.equal(alertsOf(read('external-ipv6', 'PrometheusRule')).length, 10)
    const alerts = alertsOf(read('external-production', 'PrometheusRule'))
    assert.equal(alerts.length, 9)
    assert.ok(!alerts.some(({ alert }) => alert === 'HeddleBackupTooOld'))
    for (const { alert, annotations } of alerts)
      assert.equal(annotations['runbook_url'], `https://wiki.example.com/heddle#${alert.toLowerCase()}`)
  })
  await check('the dashboard is valid JSON where the sidecar of Grafana finds it', () => {
    const { metadata, data } = read('external-production', 'ConfigMap')
    assert.equal(metadata.namespace, 'monitoring')
    assert.equal(metadata.labels['grafana_dashboard'], '1')
    const dashboard = JSON.parse(data?.['heddle.json'] ?? '') as { uid: string }
    assert.equal(dashboard.uid, 'heddle')
  })
  await check('backups: the server has the target, the interval and the reference to the secret', () => {
    const external = server('external-production', 'Deployment')
    assert.equal(variable(external, 'HEDDLE_BACKUP_TARGET')?.value, 's3://backups/heddle')
    assert.equal(variable(external, 'HEDDLE_BACKUP_EVERY_MINUTES')?.value, '360')
    assert.deepEqual(variable(external, 'HEDDLE_BACKUP_S3_SECRET_ACCESS_KEY')?.valueFrom?.secretKeyRef, {
      name: 'heddle-backup',
      key: 'secret-access-key',
    })
    const embedded = server('embedded-existing-claim', 'StatefulSet')
    assert.equal(variable(embedded, 'HEDDLE_BACKUP_TARGET')?.value, '/backup')
    assert.equal(variable(embedded, 'HEDDLE_BACKUP_KEEP_DAYS')?.value, '30')
    const without = server('embedded-default', 'StatefulSet')
    assert.deepEqual(
      without.env?.filter(({ name }) => name.startsWith('HEDDLE_BACKUP')),
      [],
    )
  })
  await check('the platform may assign user and group ids', () => {
    const pod = read('external-openshift', 'Deployment').spec.template?.spec
    assert.deepEqual(Object.keys(pod?.securityContext ?? {}), ['runAsNonRoot', 'seccompProfile'])
  })
}
