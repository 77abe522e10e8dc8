{{/* The pod of the server: template of the Deployment and of the StatefulSet. */}}
{{- define "heddle.pod" -}}
{{- $isEmbedded := include "heddle.isEmbedded" . -}}
metadata:
  labels:
    {{- include "heddle.labels" . | nindent 4 }}
    app.kubernetes.io/component: server
    {{- with .Values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with .Values.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  serviceAccountName: {{ include "heddle.serviceAccountName" . }}
  automountServiceAccountToken: false
  # Variables such as HEDDLE_PORT=tcp://… for a service named heddle would be read as settings.
  enableServiceLinks: false
  {{- include "heddle.imagePullSecrets" . | nindent 2 }}
  {{- with .Values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
  securityContext:
    {{- include "heddle.podSecurityContext" . | nindent 4 }}
  containers:
    - name: heddle
      image: {{ include "heddle.image" . | quote }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      args: [serve]
      env:
        {{- include "heddle.env" . | nindent 8 }}
      ports:
        - name: http
          containerPort: 6340
        {{- if .Values.otlpGrpc.enabled }}
        - name: otlp-grpc
          containerPort: 4317
        {{- end }}
      startupProbe:
        httpGet: { path: /healthz, port: http }
        {{- toYaml .Values.probes.startup | nindent 8 }}
      readinessProbe:
        httpGet: { path: /readyz, port: http }
        {{- toYaml .Values.probes.readiness | nindent 8 }}
      livenessProbe:
        httpGet: { path: /healthz, port: http }
        {{- toYaml .Values.probes.liveness | nindent 8 }}
      {{- if gt (int .Values.preStopSleepSeconds) 0 }}
      lifecycle:
        preStop:
          sleep:
            seconds: {{ .Values.preStopSleepSeconds }}
      {{- end }}
      resources:
        {{- include "heddle.resources" . | nindent 8 }}
      securityContext:
        {{- include "heddle.containerSecurityContext" . | nindent 8 }}
      volumeMounts:
        - name: tmp
          mountPath: /tmp
        {{- if $isEmbedded }}
        - name: data
          mountPath: /data
        {{- end }}
        {{- with .Values.extraVolumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
  volumes:
    - name: tmp
      emptyDir:
        sizeLimit: {{ .Values.tmpSizeLimit }}
    {{- if $isEmbedded }}
    {{- with .Values.clickhouse.embedded.persistence }}
    {{- if not .enabled }}
    - name: data
      emptyDir: {}
    {{- else if .existingClaim }}
    - name: data
      persistentVolumeClaim:
        claimName: {{ .existingClaim }}
    {{- end }}
    {{- end }}
    {{- end }}
    {{- with .Values.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if .Values.topologySpreadConstraints }}
  topologySpreadConstraints:
    {{- toYaml .Values.topologySpreadConstraints | nindent 4 }}
  {{- else if not $isEmbedded }}
  topologySpreadConstraints:
    {{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
    - topologyKey: {{ $key }}
      maxSkew: 1
      whenUnsatisfiable: ScheduleAnyway
      matchLabelKeys: [pod-template-hash]
      labelSelector:
        matchLabels:
          {{- include "heddle.serverSelectorLabels" $ | nindent 10 }}
    {{- end }}
  {{- end }}
{{- end -}}
