{{/* Environment of the server and of the migration Job. */}}
{{- define "heddle.env" -}}
{{- $isEmbedded := include "heddle.isEmbedded" . -}}
- name: HEDDLE_HOST
  value: {{ .Values.listenAddress | quote }}
# Set explicitly, because Kubernetes can set HEDDLE_PORT=tcp://… for a service of this name.
- name: HEDDLE_PORT
  value: '6340'
- name: HEDDLE_OTLP_GRPC_PORT
  value: {{ ternary "4317" "off" .Values.otlpGrpc.enabled | quote }}
- name: HEDDLE_LOG_FORMAT
  value: {{ dig "HEDDLE_LOG_FORMAT" "json" .Values.config | quote }}
{{- if $isEmbedded }}
# Not the mount point itself: that belongs to root and may contain lost+found.
- name: HEDDLE_DATA
  value: /data/heddle
{{- else }}
{{- with .Values.clickhouse.external }}
- name: HEDDLE_CLICKHOUSE_URL
  value: {{ .url | quote }}
- name: HEDDLE_CLICKHOUSE_USER
  value: {{ .user | quote }}
- name: HEDDLE_CLICKHOUSE_DATABASE
  value: {{ .database | quote }}
{{- if .existingSecret.name }}
- name: HEDDLE_CLICKHOUSE_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ .existingSecret.name }}
      key: {{ .existingSecret.passwordKey }}
{{- end }}
{{- if .sqlUser }}
- name: HEDDLE_CLICKHOUSE_SQL_USER
  value: {{ .sqlUser | quote }}
{{- end }}
{{- if .existingSecret.sqlPasswordKey }}
- name: HEDDLE_CLICKHOUSE_SQL_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ .existingSecret.name }}
      key: {{ .existingSecret.sqlPasswordKey }}
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.backup }}
{{- if .target }}
- name: HEDDLE_BACKUP_TARGET
  value: {{ .target | quote }}
- name: HEDDLE_BACKUP_EVERY_MINUTES
  value: {{ .everyMinutes | quote }}
- name: HEDDLE_BACKUP_FULL_EVERY_DAYS
  value: {{ .fullEveryDays | quote }}
- name: HEDDLE_BACKUP_KEEP_DAYS
  value: {{ .keepDays | quote }}
{{- if .disk }}
- name: HEDDLE_BACKUP_DISK
  value: {{ .disk | quote }}
{{- end }}
{{- if hasPrefix "s3://" .target }}
- name: HEDDLE_BACKUP_S3_REGION
  value: {{ .s3.region | quote }}
{{- if .s3.endpoint }}
- name: HEDDLE_BACKUP_S3_ENDPOINT
  value: {{ .s3.endpoint | quote }}
{{- end }}
{{- if .s3.existingSecret.name }}
- name: HEDDLE_BACKUP_S3_ACCESS_KEY_ID
  valueFrom:
    secretKeyRef:
      name: {{ .s3.existingSecret.name }}
      key: {{ .s3.existingSecret.accessKeyIdKey }}
- name: HEDDLE_BACKUP_S3_SECRET_ACCESS_KEY
  valueFrom:
    secretKeyRef:
      name: {{ .s3.existingSecret.name }}
      key: {{ .s3.existingSecret.secretAccessKeyKey }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.init.existingSecret }}
{{- if and .name .passwordKey }}
- name: HEDDLE_INIT_ADMIN_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ .name }}
      key: {{ .passwordKey }}
{{- end }}
{{- if and .name .apiKeyKey }}
- name: HEDDLE_INIT_API_KEY
  valueFrom:
    secretKeyRef:
      name: {{ .name }}
      key: {{ .apiKeyKey }}
{{- end }}
{{- end }}
{{- range $name, $value := omit .Values.config "HEDDLE_LOG_FORMAT" }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}
