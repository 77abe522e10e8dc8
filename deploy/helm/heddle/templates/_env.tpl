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
