/** Writes Chart.yaml, which belongs to the user from then on. */
export function chartYaml(name: string, description: string): string {
  return `apiVersion: v2
name: ${name}
description: ${description}
type: application
# The version of the chart. Raise it with each release.
version: 0.1.0
# The version of the operator: the tag of the image if the values name none.
appVersion: "0.1.0"
keywords:
- kubernetes
- operator
`;
}

/** Writes the named templates of the chart of CustomResourceDefinitions, which name the operator's Services. */
export function crdHelpersTemplate(name: string): string {
  return `{{- /* Named templates of the chart. */ -}}

{{- /* The first part of the names of the operator's objects. */ -}}
{{- define "${name}.fullname" -}}
{{- .Values.operator.fullname -}}
{{- end -}}

${labelsTemplate(name)}`;
}

/** The labels of all objects, in addition to those of the manifests. */
function labelsTemplate(name: string): string {
  return `{{- /* The labels of all objects, in addition to those of the manifests. */ -}}
{{- define "${name}.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}
`;
}

/** Writes the named templates. `longest` is the longest first part of a name with which all names are valid. */
export function helpersTemplate(name: string, account: string, longest: number): string {
  return `{{- /* Named templates of the chart. */ -}}

{{- /* The first part of all names: that of the release, which contains the chart's, or both. */ -}}
{{- define "${name}.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- $full := contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name) -}}
{{- default $full .Values.fullnameOverride | trunc ${longest} | trimSuffix "-" -}}
{{- end -}}

${labelsTemplate(name)}
{{- define "${name}.serviceAccountName" -}}
{{- if .Values.serviceAccount.enabled -}}
${account}
{{- else -}}
{{- required "set serviceAccount.name: the operator needs a service account" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- /* The arguments, as JSON. Each may be a template. */ -}}
{{- define "${name}.args" -}}
{{- $all := list -}}
{{- range .Values.manager.args -}}
{{- $all = append $all (tpl . $) -}}
{{- end -}}
{{- toJson $all -}}
{{- end -}}

{{- /* The environment variables, with the values of envOverrides. */ -}}
{{- define "${name}.env" -}}
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

{{- define "${name}.image" -}}
{{- with .Values.manager.image -}}
{{- .repository -}}
{{- if .digest -}}
@{{ .digest }}
{{- else -}}
:{{ .tag | default $.Chart.AppVersion }}
{{- end -}}
{{- end -}}
{{- end -}}
`;
}

/** Writes the text that Helm shows after an installation. */
export function notesTemplate(manager: string): string {
  return `{{- /* Shown after an installation. */ -}}
{{- if .Values.manager.enabled }}
{{ .Chart.Name }} {{ .Chart.AppVersion }} runs in namespace {{ .Release.Namespace }} as release {{ .Release.Name }}.

Its Deployment:

  kubectl --namespace {{ .Release.Namespace }} rollout status deployment ${manager}

Its log:

  kubectl --namespace {{ .Release.Namespace }} logs deployment/${manager}
{{- if not .Values.manager.replicas }}

It has no replicas: nothing works until manager.replicas is raised.
{{- end }}
{{- else }}
Release {{ .Release.Name }} has what {{ .Chart.Name }} needs, without the operator: manager.enabled is false.
{{- end }}
`;
}

export const helmIgnore = `# Files in this folder that helm package leaves out.
.DS_Store
.git/
.idea/
.vscode/
*.orig
*.swp
*.tgz
*~
`;

/** Writes the targets of the Makefile that use the chart. */
export function makefileTargets(name: string, namespace: string, folder: string): string {
  return `
##@ Helm

HELM ?= helm
HELM_CHART_DIR ?= ${folder}
HELM_RELEASE ?= ${name}
HELM_NAMESPACE ?= ${namespace}
# HELM_EXTRA_ARGS are arguments of helm upgrade, such as --values my-values.yaml.
HELM_EXTRA_ARGS ?=
# A colon before a slash belongs to the registry, not to a tag.
HELM_IMAGE_TAG = $(lastword $(subst :, ,$(notdir $(IMG))))

.PHONY: helm-chart
helm-chart: build-installer ## Write the Helm chart with the image IMG.
	$(TSOP) edit --plugins helm --manifests dist/install.yaml --output-dir $(dir $(HELM_CHART_DIR))

.PHONY: helm-lint
helm-lint: ## Check the Helm chart.
	$(HELM) lint --strict $(HELM_CHART_DIR)

.PHONY: helm-deploy
helm-deploy: cluster ## Install or upgrade the release with the image IMG.
	$(HELM) upgrade --install $(HELM_RELEASE) $(HELM_CHART_DIR) --namespace $(HELM_NAMESPACE) --create-namespace \\
		--set-string manager.image.repository=$(patsubst %:$(HELM_IMAGE_TAG),%,$(IMG)) \\
		--set-string manager.image.tag=$(if $(findstring :,$(notdir $(IMG))),$(HELM_IMAGE_TAG)) \\
		--set-string manager.image.digest= --wait --timeout 5m $(HELM_EXTRA_ARGS)

.PHONY: helm-uninstall
helm-uninstall: cluster ## Uninstall the release.
	$(HELM) uninstall $(HELM_RELEASE) --namespace $(HELM_NAMESPACE)

.PHONY: helm-status
helm-status: ## Show the status of the release.
	$(HELM) status $(HELM_RELEASE) --namespace $(HELM_NAMESPACE)

.PHONY: helm-history
helm-history: ## Show the revisions of the release.
	$(HELM) history $(HELM_RELEASE) --namespace $(HELM_NAMESPACE)

.PHONY: helm-rollback
helm-rollback: cluster ## Return to the previous revision of the release.
	$(HELM) rollback $(HELM_RELEASE) --namespace $(HELM_NAMESPACE)
`;
}
