{{- /* Named templates of the chart. */ -}}

{{- /* The first part of all names: that of the release, which contains the chart's, or both. */ -}}
{{- define "__projectName__.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- $full := contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name) -}}
{{- default $full .Values.fullnameOverride | trunc __longest__ | trimSuffix "-" -}}
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

{{- define "__projectName__.serviceAccountName" -}}
{{- if .Values.serviceAccount.enabled -}}
__account__
{{- else -}}
{{- required "set serviceAccount.name: the operator needs a service account" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- /* The arguments, as JSON. Each may be a template. */ -}}
{{- define "__projectName__.args" -}}
{{- $all := list -}}
{{- range .Values.manager.args -}}
{{- $all = append $all (tpl . $) -}}
{{- end -}}
{{- toJson $all -}}
{{- end -}}

{{- /* The environment variables, with the values of envOverrides. */ -}}
{{- define "__projectName__.env" -}}
{{- $overrides := .Values.manager.envOverrides -}}
{{- $all := list -}}
{{- range .Values.manager.env -}}
{{- if not (hasKey $overrides .name) -}}
{{- $all = append $all . -}}
{{- end -}}
{{- end -}}
{{- range $name, $value := $overrides -}}
{{- $all = append $all (dict "name" $name "value" (toString $value)) -}}
{{- end -}}
{{- toYaml $all -}}
{{- end -}}

{{- define "__projectName__.image" -}}
{{- with .Values.manager.image -}}
{{- .repository -}}
{{- if .digest -}}
@{{ .digest }}
{{- else -}}
:{{ .tag | default $.Chart.AppVersion }}
{{- end -}}
{{- end -}}
{{- end -}}
