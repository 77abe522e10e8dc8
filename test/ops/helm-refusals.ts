/** Values that the chart must refuse, and what the message must say. */
interface Refusal {
  readonly name: string
  readonly values: Record<string, unknown>
  readonly message: RegExp
}

const EXTERNAL = {
  'clickhouse.mode': 'external',
  'clickhouse.external.url': 'https://clickhouse.example.com:8443',
}

export const HELM_REFUSALS: readonly Refusal[] = [
  {
    name: 'replicas with the embedded ClickHouse',
    values: { replicas: 2 },
    message: /replicas must be 1 with clickhouse\.mode=embedded/,
  },
  {
    name: 'autoscaling with the embedded ClickHouse',
    values: { 'autoscaling.enabled': true },
    message: /autoscaling\.enabled needs clickhouse\.mode=external/,
  },
  {
    name: 'a URL with the embedded ClickHouse',
    values: { 'clickhouse.external.url': 'http://clickhouse:8123' },
    message: /clickhouse\.external\.url is set, but clickhouse\.mode is embedded/,
  },
  {
    name: 'a migration Job with the embedded ClickHouse',
    values: { 'migrations.mode': 'job' },
    message: /migrations\.mode=job needs clickhouse\.mode=external/,
  },
  {
    name: 'the slim image with the embedded ClickHouse',
    values: { 'image.tag': '0.1.0-slim' },
    message: /contains no ClickHouse/,
  },
  {
    name: 'the embedded ClickHouse without a memory limit',
    values: { 'resources.requests.memory': '2Gi' },
    message: /resources\.limits\.memory is missing/,
  },
  {
    name: 'an external ClickHouse without a URL',
    values: { 'clickhouse.mode': 'external' },
    message: /needs clickhouse\.external\.url/,
  },
  {
    name: 'credentials in the URL',
    values: { ...EXTERNAL, 'clickhouse.external.url': 'https://heddle:hunter2@clickhouse:8443' },
    message: /without credentials/,
  },
  {
    name: 'a password in config',
    values: { ...EXTERNAL, 'config.HEDDLE_CLICKHOUSE_PASSWORD': 'hunter2' },
    message: /config\.HEDDLE_CLICKHOUSE_PASSWORD would put a secret into the release/,
  },
  {
    name: 'a password in extraEnv',
    values: { extraEnv: [{ name: 'HEDDLE_INIT_API_KEY', value: 'x'.repeat(40) }] },
    message: /extraEnv HEDDLE_INIT_API_KEY would put a secret/,
  },
  {
    name: 'a setting that has a value of its own',
    values: { 'config.HEDDLE_PORT': '80' },
    message: /config\.HEDDLE_PORT: use the value service\.port instead/,
  },
  {
    name: 'a misspelled value',
    values: { 'clickhouse.external.password': 'hunter2' },
    message: /additional properties 'password' not allowed|password is not allowed/i,
  },
  {
    name: 'an unknown mode',
    values: { 'clickhouse.mode': 'cluster' },
    message: /clickhouse.*mode[\s\S]*must be one of 'embedded', 'external'/,
  },
  { name: 'an Ingress without hosts', values: { 'ingress.enabled': true }, message: /needs ingress\.hosts/ },
  {
    name: 'more minimum than maximum replicas',
    values: { ...EXTERNAL, 'autoscaling.enabled': true, 'autoscaling.minReplicas': 9 },
    message: /minReplicas is greater/,
  },
  {
    name: 'a disruption budget that blocks drains',
    values: {
      ...EXTERNAL,
      replicas: 2,
      'podDisruptionBudget.minAvailable': 2,
      'podDisruptionBudget.maxUnavailable': null,
    },
    message: /would block every node drain/,
  },
  {
    name: 'both limits of a disruption budget',
    values: { ...EXTERNAL, replicas: 3, 'podDisruptionBudget.minAvailable': 1 },
    message: /minAvailable and maxUnavailable/,
  },
  {
    name: 'a grace period shorter than the graceful stop',
    values: { terminationGracePeriodSeconds: 30 },
    message: /must be at least 32/,
  },
  {
    name: 'an alert that does not exist',
    values: { 'prometheusRule.enabled': true, 'prometheusRule.disabledAlerts': ['HeddleOnFire'] },
    message: /there is no alert HeddleOnFire\. Alerts: HeddleDown, /,
  },
  {
    name: 'backups to S3 without a disk of the external ClickHouse',
    values: { ...EXTERNAL, 'backup.target': 's3://backups/heddle' },
    message: /need backup\.disk/,
  },
]
