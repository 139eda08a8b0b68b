{{- /* Named templates of the chart. */ -}}

{{- /* The first part of the names of the operator's objects. */ -}}
{{- define "__projectName__.fullname" -}}
{{- .Values.operator.fullname -}}
{{- end -}}

{{- /* The labels of all objects, in addition to those of the manifests. */ -}}
{{- define "__projectName__.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}
