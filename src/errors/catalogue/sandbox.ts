/** Errors of the sandbox, of test environments and of manifests. */
export const sandboxErrors = {
  TSOP_PORT_IN_USE: {
    message: "port {port} on 127.0.0.1 is in use",
    hint: "choose another one, or leave --port out to take a free one",
  },
  TSOP_UI_PORT_IN_USE: {
    message: "port {port} on 127.0.0.1 is in use, so that the page cannot be served there",
    hint: "choose another one, or leave --ui-port out to take a free one",
  },
  TSOP_NO_SIGNALS: {
    message: "{work} needs signals and process groups, which Windows does not have",
    hint: "run it in WSL, the Linux of Windows",
  },
  TSOP_ENVTEST_VERSION: {
    message: "this tsop serves Kubernetes {served}, and {wanted} is wanted",
    hint: "leave --kubernetes-version out, or use the real programs: go run sigs.k8s.io/controller-runtime/tools/setup-envtest@latest use {wanted}",
  },
  TSOP_KUBERNETES_VERSION: {
    message: "the embedded server does not serve Kubernetes {wanted}",
    hint: "choose one of {served}",
  },
  TSOP_FILE_UNUSABLE: {
    message: "{file} can't be written: {reason}",
    hint: "choose another file, or check permissions and free space",
  },
  TSOP_KUBECONFIG_FOREIGN: {
    message: "{file} was not written by a sandbox, which would overwrite it",
    hint: "pass --kubeconfig a file that does not exist yet; KUBECONFIG may list both: export KUBECONFIG=FILE:{file}",
  },
  TSOP_KUBECONFIG_IN_USE: {
    message: "{file} is the kubeconfig of a server that runs at {url}",
    hint: "use or stop that server, or give this one another file: --kubeconfig FILE",
  },
  TSOP_STATE_LOCKED: {
    message: "{folder} is in use by process {pid}",
    hint: "end that run, or give another folder to --persist",
  },
  TSOP_STATE_INVALID: {
    message: "{file} can't be read: {reason}",
    hint: "start over: rm {file}",
  },
  TSOP_STATE_NEWER: {
    message: "{file} has format {format}, which a newer tsop writes; this one reads {known}",
    hint: "use that tsop, or give another folder to --persist",
  },
  TSOP_STATE_DAMAGED: {
    message: "{file} is damaged at byte {offset}: {reason}",
    hint: "keep what was written before that: truncate -s {offset} {file}; or start over: rm {file}",
  },
  TSOP_STATE_NOT_SAVED: {
    message: "{file} can't be written: {reason}",
    hint: "writes are refused until it can; free some space or check permissions",
  },
  TSOP_MANIFEST_NOT_FOUND: {
    message: "{path} does not exist or can't be read",
    hint: "give a YAML or JSON file, or a folder with such files",
  },
  TSOP_YAML_INVALID: {
    message: "{file}:{line}:{column}: {reason}",
    hint: "fix the YAML at that line",
  },
  TSOP_MANIFEST_INVALID: {
    message: "{file} is not a Kubernetes manifest: {reason}",
    hint: "fix the file; each document needs apiVersion, kind and metadata.name",
  },
  TSOP_MANIFESTS_MISSING: {
    message: "{path} contains no .yaml, .yml or .json file",
    hint: "name the folder of the files, such as config/crd/bases; of a kustomization: kubectl apply -k {path}",
  },
  TSOP_MANIFEST_REFUSED: {
    message: "{file}: {reason}",
    hint: "fix the file: a real Kubernetes API server rejects it as well",
  },
  TSOP_MANIFEST_WEBHOOK: {
    message: "{file}: {reason}",
    hint: "the webhook failed, not the file: see the operator's log, and compare the path in the webhook's marker with the path that the operator registers; a service that is not found means that webhooks are off (ENABLE_WEBHOOKS=false)",
  },
  TSOP_NAMESPACE_NOT_FOUND: {
    message: "{file}: the server has no namespace {namespace}",
    hint: "create it first (kubectl create namespace {namespace}), or add it to the manifests",
  },
  TSOP_KIND_NOT_SERVED: {
    message: "{file}: the server does not serve {kind} in {apiVersion}",
    hint: "install its CRD first; if it is a kind of your project, run: tsop generate manifests",
  },
  TSOP_CRD_NOT_SERVED: {
    message: "version {version} of {crd} is not served although its CRD was accepted",
    hint: "look at the conditions: kubectl describe crd {crd}",
  },
  TSOP_ASSETS_MISSING: {
    message: "there is no {path}",
    hint: "point KUBEBUILDER_ASSETS at a folder with etcd and kube-apiserver, or unset it to use the embedded server",
  },
  TSOP_ASSET_UNUSABLE: {
    message: "{path} can't be run: {reason}",
    hint: "install it for this machine, for example with setup-envtest, or unset KUBEBUILDER_ASSETS to use the embedded server",
  },
  TSOP_TIMEOUT_INVALID: {
    message: "{variable}={text} is not a duration",
    hint: "write it with a unit, such as 60s or 2m",
  },
  TSOP_CONTROL_PLANE_FAILED: {
    message: "{program} did not start: {reason}",
    hint: "see its output with KUBEBUILDER_ATTACH_CONTROL_PLANE_OUTPUT=true, or unset KUBEBUILDER_ASSETS to use the embedded server",
  },
  TSOP_EMBEDDED_ONLY: {
    message: "{feature} needs the embedded server",
    hint: 'give the environment of this test binaryAssetsDirectory: "" and useExistingCluster: false, or skip it there',
  },
  TSOP_TEST_ENVIRONMENT_NOT_STARTED: {
    message: "the test environment is not running",
    hint: "await environment.start() first, for example in beforeAll",
  },
  TSOP_SIMULATION_REPLACED: {
    message: "the simulation was ended, because another one has begun in this thread",
    hint: "await simulate(…) before the next call, and use it instead of it.concurrent",
  },
  TSOP_SIMULATION_LIMIT: {
    message: "the simulation has not ended after {seconds} s: {state}",
    hint: "look for a reconciler that requests itself again and again; if the test needs the time, give simulate a limitMs of 60_000, and the test a longer timeout",
  },
  TSOP_TEST_FLEET_UNKNOWN: {
    message: "the test fleet has no server {name}; it has: {known}",
    hint: "correct the name, or start the server first: await fleet.add(name)",
  },
  TSOP_TEST_FLEET_NAME: {
    message: "the test fleet can't add a server {name}: {reason}",
    hint: "give it another name, such as east",
  },
} as const;
