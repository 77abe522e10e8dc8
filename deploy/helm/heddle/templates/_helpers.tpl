{{- define "heddle.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* Names get suffixes such as -migrate, so 52 of 63 characters. */}}
{{- define "heddle.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- $name := include "heddle.name" . -}}
{{- ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "heddle.isEmbedded" -}}
{{- if eq .Values.clickhouse.mode "embedded" -}}true{{- end -}}
{{- end -}}

{{- define "heddle.selectorLabels" -}}
app.kubernetes.io/name: {{ include "heddle.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{/* The selector of the server's pods, without the Job and the test. */}}
{{- define "heddle.serverSelectorLabels" -}}
{{ include "heddle.selectorLabels" . }}
app.kubernetes.io/component: server
{{- end -}}

{{- define "heddle.labels" -}}
{{ include "heddle.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "heddle.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{- $tag := ternary $.Chart.AppVersion (printf "%s-slim" $.Chart.AppVersion) (eq $.Values.clickhouse.mode "embedded") -}}
{{ .repository }}:{{ default $tag .tag }}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "heddle.imagePullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end -}}

{{- define "heddle.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "heddle.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "heddle.claimName" -}}
{{- default "data" .Values.clickhouse.embedded.persistence.existingClaim -}}
{{- end -}}

{{- define "heddle.externalResources" -}}
requests: { cpu: 250m, memory: 512Mi }
limits: { memory: 1Gi }
{{- end -}}

{{- define "heddle.resources" -}}
{{- if .Values.resources -}}
{{ toYaml .Values.resources }}
{{- else if include "heddle.isEmbedded" . -}}
requests: { cpu: 500m, memory: 2Gi }
limits: { memory: 4Gi }
{{- else -}}
{{ include "heddle.externalResources" . }}
{{- end -}}
{{- end -}}

{{/* The restricted Pod Security Standard. */}}
{{- define "heddle.podSecurityContext" -}}
runAsNonRoot: true
{{- range $key := list "runAsUser" "runAsGroup" "fsGroup" }}
{{- $id := index $.Values.security $key }}
{{- if not (kindIs "invalid" $id) }}
{{ $key }}: {{ int64 $id }}
{{- end }}
{{- end }}
{{- if not (kindIs "invalid" .Values.security.fsGroup) }}
# Otherwise each start changes the group of every file of the volume.
fsGroupChangePolicy: OnRootMismatch
{{- end }}
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "heddle.containerSecurityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities:
  drop: [ALL]
seccompProfile:
  type: RuntimeDefault
{{- end -}}
