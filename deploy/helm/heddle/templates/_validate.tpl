{{/* The port of a URL. */}}
{{- define "heddle.urlPort" -}}
{{- $url := urlParse . -}}
{{- $port := regexFind ":[0-9]+$" $url.host | trimPrefix ":" -}}
{{- default (ternary "443" "80" (eq $url.scheme "https")) $port -}}
{{- end -}}

{{/* Refuses values that contradict each other, all problems at once. values.schema.json checks names and types. */}}
{{- define "heddle.validate" -}}
{{- $problems := concat (include "heddle.storageProblems" . | fromYamlArray) (include "heddle.configProblems" . | fromYamlArray) (include "heddle.scalingProblems" . | fromYamlArray) -}}
{{- if $problems -}}
{{- fail (printf "\n- %s" (join "\n- " $problems)) -}}
{{- end -}}
{{- end -}}

{{- define "heddle.storageProblems" -}}
{{- $problems := list -}}
{{- $external := .Values.clickhouse.external -}}
{{- if include "heddle.isEmbedded" . -}}
{{- if gt (int .Values.replicas) 1 -}}
{{- $problems = append $problems "replicas must be 1 with clickhouse.mode=embedded: one process at a time can use the data directory. Set clickhouse.mode=external for more." -}}
{{- end -}}
{{- if .Values.autoscaling.enabled -}}
{{- $problems = append $problems "autoscaling.enabled needs clickhouse.mode=external: the embedded ClickHouse runs in one pod." -}}
{{- end -}}
{{- if $external.url -}}
{{- $problems = append $problems "clickhouse.external.url is set, but clickhouse.mode is embedded. Set clickhouse.mode=external or remove the URL." -}}
{{- end -}}
{{- if eq .Values.migrations.mode "job" -}}
{{- $problems = append $problems "migrations.mode=job needs clickhouse.mode=external: the embedded ClickHouse runs in the server's pod and migrates at its start." -}}
{{- end -}}
{{- if hasSuffix "slim" .Values.image.tag -}}
{{- $problems = append $problems (printf "image.tag %s contains no ClickHouse. Use the image without -slim, or clickhouse.mode=external." .Values.image.tag) -}}
{{- end -}}
{{- if and .Values.resources (not (dig "limits" "memory" "" .Values.resources)) -}}
{{- $problems = append $problems "resources.limits.memory is missing: the embedded ClickHouse derives its memory from it." -}}
{{- end -}}
{{- else -}}
{{- if not $external.url -}}
{{- $problems = append $problems "clickhouse.mode=external needs clickhouse.external.url, such as https://clickhouse.example.com:8443." -}}
{{- else if not (regexMatch "^https?://[^/@]+/?$" $external.url) -}}
{{- $problems = append $problems "clickhouse.external.url must be http(s)://host:port without credentials, path and query. User: clickhouse.external.user; password: clickhouse.external.existingSecret." -}}
{{- end -}}
{{- if and (hasPrefix "s3://" .Values.backup.target) (not .Values.backup.disk) -}}
{{- $problems = append $problems "backups of an external ClickHouse to S3 need backup.disk: the name of a disk of the type s3_plain in the configuration of ClickHouse (docs/deploy/backup.md)." -}}
{{- end -}}
{{- if and $external.existingSecret.sqlPasswordKey (not $external.existingSecret.name) -}}
{{- $problems = append $problems "clickhouse.external.existingSecret.sqlPasswordKey needs clickhouse.external.existingSecret.name." -}}
{{- end -}}
{{- end -}}
{{- toYaml $problems -}}
{{- end -}}

{{- define "heddle.configProblems" -}}
{{- $problems := list -}}
{{- $ownKeys := dict "HEDDLE_HOST" "listenAddress" "HEDDLE_PORT" "service.port" "HEDDLE_OTLP_GRPC_PORT" "otlpGrpc" "HEDDLE_DATA" "clickhouse.embedded" "HEDDLE_CLICKHOUSE_URL" "clickhouse.external.url" "HEDDLE_CLICKHOUSE_USER" "clickhouse.external.user" "HEDDLE_CLICKHOUSE_DATABASE" "clickhouse.external.database" "HEDDLE_CLICKHOUSE_SQL_USER" "clickhouse.external.sqlUser" "HEDDLE_BACKUP_TARGET" "backup.target" "HEDDLE_BACKUP_DISK" "backup.disk" "HEDDLE_BACKUP_EVERY_MINUTES" "backup.everyMinutes" "HEDDLE_BACKUP_FULL_EVERY_DAYS" "backup.fullEveryDays" "HEDDLE_BACKUP_KEEP_DAYS" "backup.keepDays" "HEDDLE_BACKUP_S3_ENDPOINT" "backup.s3.endpoint" "HEDDLE_BACKUP_S3_REGION" "backup.s3.region" "HEDDLE_BACKUP_S3_ACCESS_KEY_ID" "backup.s3.existingSecret" -}}
{{- range $name, $_ := .Values.config -}}
{{- if hasKey $ownKeys $name -}}
{{- $problems = append $problems (printf "config.%s: use the value %s instead." $name (get $ownKeys $name)) -}}
{{- else if regexMatch "(PASSWORD|SECRET|TOKEN|API_KEY|ACCESS_KEY|SECRET_KEY|OTLP_HEADERS)$" $name -}}
{{- $problems = append $problems (printf "config.%s would put a secret into the release in plain text. Use clickhouse.external.existingSecret, init.existingSecret, or extraEnv with valueFrom.secretKeyRef." $name) -}}
{{- end -}}
{{- end -}}
{{- range .Values.extraEnv -}}
{{- if and (hasKey . "value") (regexMatch "(PASSWORD|SECRET|TOKEN|API_KEY|ACCESS_KEY|SECRET_KEY|OTLP_HEADERS)$" .name) -}}
{{- $problems = append $problems (printf "extraEnv %s would put a secret into the release in plain text. Use valueFrom.secretKeyRef." .name) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.hosts) -}}
{{- $problems = append $problems "ingress.enabled needs ingress.hosts." -}}
{{- end -}}
{{- if .Values.ingress.otlpGrpc.enabled -}}
{{- if not .Values.ingress.otlpGrpc.hosts -}}
{{- $problems = append $problems "ingress.otlpGrpc.enabled needs ingress.otlpGrpc.hosts." -}}
{{- end -}}
{{- if not .Values.otlpGrpc.enabled -}}
{{- $problems = append $problems "ingress.otlpGrpc.enabled needs otlpGrpc.enabled." -}}
{{- end -}}
{{- end -}}
{{- toYaml $problems -}}
{{- end -}}

{{- define "heddle.scalingProblems" -}}
{{- $problems := list -}}
{{- with .Values.autoscaling -}}
{{- if .enabled -}}
{{- if gt (int .minReplicas) (int .maxReplicas) -}}
{{- $problems = append $problems "autoscaling.minReplicas is greater than autoscaling.maxReplicas." -}}
{{- end -}}
{{- if not (or .targetCPUUtilizationPercentage .targetMemoryUtilizationPercentage) -}}
{{- $problems = append $problems "autoscaling needs targetCPUUtilizationPercentage or targetMemoryUtilizationPercentage." -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $pods := ternary (int .Values.autoscaling.minReplicas) (int .Values.replicas) .Values.autoscaling.enabled -}}
{{- with .Values.podDisruptionBudget -}}
{{- if and .enabled (not (kindIs "invalid" .minAvailable)) -}}
{{- if not (kindIs "invalid" .maxUnavailable) -}}
{{- $problems = append $problems "podDisruptionBudget has minAvailable and maxUnavailable. Set the other one to null." -}}
{{- end -}}
{{- if and (not (kindIs "string" .minAvailable)) (gt $pods 1) (ge (int .minAvailable) $pods) -}}
{{- $problems = append $problems (printf "podDisruptionBudget.minAvailable %d of %d pods would block every node drain." (int .minAvailable) $pods) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $stopSeconds := add 27 (int .Values.preStopSleepSeconds) -}}
{{- if lt (int .Values.terminationGracePeriodSeconds) (int $stopSeconds) -}}
{{- $problems = append $problems (printf "terminationGracePeriodSeconds must be at least %d: preStopSleepSeconds and 27 s in which Heddle finishes requests." $stopSeconds) -}}
{{- end -}}
{{- toYaml $problems -}}
{{- end -}}
