/** Errors of the PROJECT file and of plans. Each `{name}` in a message or hint is a fact that the throw must pass. */
export const projectErrors = {
  TSOP_PROJECT_NOT_FOUND: {
    message: "no PROJECT file in {cwd} or above",
    hint: "change into a project, or start one: tsop init --domain example.com",
  },
  TSOP_PROJECT_INVALID: {
    message: "{place}: PROJECT can't be read: {reason}",
    hint: "fix the file, or restore it: git checkout -- PROJECT",
  },
  TSOP_PROJECT_VALUE: {
    message: "{field} {value} is not valid: {rule}",
    hint: "fix the value, or restore the file: git checkout -- PROJECT",
  },
  TSOP_PROJECT_VERSION: {
    message: "{file} has {found}, this tsop reads {wanted}",
    hint: "use the tsop that wrote it: npm install, then npx tsop; or a newer one: npm install tsop@latest",
  },
  TSOP_PROJECT_NEWER: {
    message: "PROJECT records tsop {recorded}, this is the older {version}",
    hint: "use the tsop that the project depends on: npm install, then npx tsop; or a newer one: npx tsop@latest",
  },
  TSOP_PROJECT_LAYOUT: {
    message: "{file} has the layout {layout}, not {wanted}",
    hint: "use the tool that created the project (operator-sdk or kubebuilder), or create a tsop project in another folder",
  },
  TSOP_FILES_EXIST: {
    message: "these files exist and would be overwritten:\n{files}",
    hint: "move them away, or pass --force to overwrite",
  },
  TSOP_WRITE_FAILED: {
    message: "{path} can't be written: {reason}; nothing was changed",
    hint: "check permissions and free space, then run the command again",
  },
  TSOP_FILE_NOT_REGULAR: {
    message: "{path} is a FIFO, a socket or a device, which tsop does not read",
    hint: "name a file, or put one in its place",
  },
  TSOP_FILE_TOO_LARGE: {
    message: "{path} has {bytes} bytes; tsop reads {most} at most",
    hint: "name another file, or check what this one is: ls -l {path}",
  },
  TSOP_FOLDER_UNUSABLE: {
    message: "{folder} can't be used as a folder: {reason}",
    hint: "check its permissions, remove the file in its place, or choose another folder",
  },
  TSOP_OUTSIDE: {
    message: "{path} is outside of {root}, by its name or through a symbolic link; nothing was changed",
    hint: "name a path in the project, or replace the link by a folder",
  },
  TSOP_BUSY: {
    message: "{root} is still in use by {purpose} (process {pid}) after {seconds} seconds; nothing was changed",
    hint: "wait for that command or end it (kill {pid}), then run this one again",
  },
  TSOP_UNDO_FAILED: {
    message: "{path} can't be written: {reason}; the previous files could not be restored either",
    hint: "the next tsop command that writes restores them; until then they are in files that end in .tsop-old",
  },
  // Requests to scaffold something.
  TSOP_ALREADY_INITIALIZED: {
    message: "{root} is already a project: it has a PROJECT file",
    hint: "add to it: tsop create api --group <group> --kind <Kind>",
  },
  TSOP_INVALID_PROJECT_NAME: {
    message: "project name {value} is not valid: {rule}",
    hint: "give another one: tsop init --project-name my-operator",
  },
  TSOP_INVALID_DOMAIN: {
    message: "domain {value} is not valid: {rule}",
    hint: "give a domain that you own: tsop init --domain example.com",
  },
  TSOP_LICENSE_FILE: {
    message: "licence file {path} can't be used: {reason}",
    hint: "name a file that holds one block comment, or nothing: --license-file ./licence.txt",
  },
  TSOP_INVALID_GROUP: {
    message: "API group {value} is not valid: {rule}",
    hint: "give the part before the project's domain: --group cache",
  },
  TSOP_GROUP_WITH_DOMAIN: {
    message: "group {group} has the project's domain {domain} in it, which is added to each group",
    hint: "{advice}",
  },
  TSOP_INVALID_VERSION: {
    message: "version {value} is not valid: {rule}",
    hint: "give a version like --version v1alpha1",
  },
  TSOP_INVALID_KIND: {
    message: "kind {value} is not valid: {rule}",
    hint: "give another one: --kind {better}",
  },
  TSOP_INVALID_PLURAL: {
    message: "plural {value} is not valid: {rule}",
    hint: "give a word in lower case: --plural memcacheds",
  },
  TSOP_PLURAL_TAKEN: {
    message: "kind {kind} has the plural {plural} of kind {other} in the same group",
    hint: "give another one: --plural {better}",
  },
  TSOP_SECOND_GROUP: {
    message: "the project already has the group {other}, and {group} would be a second one",
    hint: "allow several groups: tsop edit --multigroup",
  },
  TSOP_API_EXISTS: {
    message: "kind {kind} of {group}/{version} already exists",
    hint: "choose another kind or --version, or overwrite it with --force",
  },
  TSOP_API_UNKNOWN: {
    message: "the project has no kind {kind} in {place}, and Kubernetes has no such group; it has: {known}",
    hint: "{advice} (a type of another project: --external-api-path <package or ./file>)",
  },
  TSOP_BUILTIN_KIND_UNKNOWN: {
    message: "Kubernetes has no kind {kind} in {place}",
    hint: "{advice} (a type of another project: --external-api-path <package or ./file>)",
  },
  TSOP_EXTERNAL_RESOURCE: {
    message: "kind {kind} can't be both defined in this project and external",
    hint: "leave out the --external-api flags, or add --resource=false",
  },
  TSOP_EXTERNAL_PATH: {
    message: "the import path of {kind} is missing",
    hint: "add --external-api-path <package or ./file that exports the Kind {kind}>",
  },
  TSOP_INVALID_CONTROLLER_NAME: {
    message: "controller name {value} is not valid: {rule}",
    hint: "give a word in lower case: --controller-name memcached-backup",
  },
  TSOP_CONTROLLER_EXISTS: {
    message: "kind {kind} already has a controller {name}",
    hint: "choose another name: --controller-name <name>, or overwrite it with --force",
  },
  TSOP_SSA_CONTROLLER: {
    message: "--ssa is for the first controller of a kind, and kind {kind} has a controller {first}",
    hint: "omit --ssa, and call client.apply and extractApplied in the new controller",
  },
  TSOP_INVALID_IMAGE_OPTION: {
    message: "{what} {value} is not valid: it must be {rule}",
    hint: "correct {what}",
  },
  TSOP_INVALID_OPTION: {
    message: "{flag} {value} is not valid: it must be {rule}",
    hint: "correct {flag}",
  },
  TSOP_ROOT_MARKER_MISSING: {
    message: "{path} has no comment +kubebuilder:object:root=true above {kind}, so {marker} can't be inserted",
    hint: "write both markers into the comment above `export interface {kind}`, then run the command again",
  },
  TSOP_WEBHOOK_TYPE_MISSING: {
    message: "no type of webhook was chosen",
    hint: "add --defaulting, --programmatic-validation or --conversion",
  },
  TSOP_WEBHOOK_EXISTS: {
    message: "kind {kind} {version} already has a {flag} webhook",
    hint: "edit its file under webhooks/, or overwrite it with --force",
  },
  TSOP_WEBHOOK_PATH: {
    message: "webhook path {path} is not valid: {reason}",
    hint: "leave it out to use the path of the generated manifests",
  },
  TSOP_WEBHOOK_CERT: {
    message: "the webhooks' certificates are already {source}, they can't be {wanted} as well",
    hint: "leave out --cert; to change it, delete all webhooks first and create them again: tsop delete webhook",
  },
  TSOP_CONVERSION_ALONE: {
    message: "kind {kind} has no version other than {version} to convert from",
    hint: "create it first: tsop create api --group {group} --kind {kind} --version <version> --controller=false",
  },
  TSOP_CONVERSION_HUB: {
    message: "conversions of {kind} already use {hub} as their hub, {version} can't be a second one",
    hint: "add versions to that hub: tsop create webhook --kind {kind} --version {hub} --conversion --spoke <version>",
  },
  TSOP_CONVERSION_FOREIGN: {
    message: "kind {kind} is not defined in this project, so its versions are not converted here",
    hint: "leave out --conversion",
  },
  TSOP_SPOKE_UNKNOWN: {
    message: "kind {kind} has no version {version} to convert from, only {others}",
    hint: "give --spoke one of these",
  },
  TSOP_NOT_IN_PROJECT: {
    message: "the project has no kind {kind} in {place}; it has: {known}",
    hint: "give --group, --version and --kind as PROJECT has them",
  },
  TSOP_HAS_WEBHOOKS: {
    message: "kind {kind} {version} has webhooks, which need its types",
    hint: "delete them first: tsop delete webhook --group {group} --version {holder} --kind {kind}",
  },
  TSOP_WEBHOOK_UNKNOWN: {
    message: "kind {kind} {version} has no such webhook; it has: {existing}",
    hint: "choose one that PROJECT lists",
  },
  TSOP_EDITED_FILES: {
    message: "these files were edited since they were written:\n{files}",
    hint: "save what you need of them, then remove them with --force",
  },
  TSOP_SEVERAL_GROUPS: {
    message: "the project has kinds of several groups: {groups}",
    hint: "keep it multi-group, or delete the kinds of all groups but one: tsop delete api",
  },
  TSOP_FILE_MISSING: {
    message: "{path} is missing, and the command has to change it",
    hint: "restore it: git checkout -- {path}",
  },
  TSOP_SCAFFOLD_POINT_MISSING: {
    message: "{path} has no comment `{marker}`, so this can't be inserted:\n{snippet}",
    hint: "restore the comment where such lines belong, then run the command again",
  },
  TSOP_PLUGIN_FOREIGN: {
    message: "--plugins={key} creates projects without code, and tsop creates TypeScript projects",
    hint: "create it with operator-sdk init --plugins={key}, or omit --plugins and write the controller in TypeScript",
  },
  TSOP_PLUGIN_UNKNOWN: {
    message: "tsop has no plugin {key}",
    hint: "omit --plugins; tsop edit --plugins knows helm, grafana and sharding",
  },
  TSOP_PLUGIN_OF_EDIT: {
    message: "--plugins={key} adds to a project that exists",
    hint: "add it afterwards: tsop edit --plugins {key}",
  },
  TSOP_SHARDING_EMPTY: {
    message: "the project has no controller whose objects could be distributed",
    hint: "create one first: tsop create api --group GROUP --version v1 --kind KIND",
  },
  TSOP_GO_ONLY: {
    message: "{what} belongs to the Go tools",
    hint: "{instead}",
  },
  // Dashboards.
  TSOP_GRAFANA_CONFIG: {
    message: "{file} is not valid: {reason}",
    hint: "correct it as its comments show, then run: tsop edit --plugins grafana",
  },
  // Charts.
  TSOP_HELM_NO_MANAGER: {
    message: "{file} contains no Deployment, so it is not the operator's manifests",
    hint: "give it what kustomize builds: kubectl kustomize config/default | tsop edit --plugins helm --manifests -",
  },
  TSOP_HELM_OBJECT: {
    message: "{file}: the object {object} can't be a part of a chart: {reason}",
    hint: "correct it in config/, and write the chart again: make helm-chart",
  },
  TSOP_HELM_MANIFESTS: {
    message: "the manifests for the chart are missing: {reason}",
    hint: "write dist/install.yaml with make build-installer, or pipe them: kubectl kustomize config/default | tsop edit --plugins helm --manifests -",
  },
} as const;
