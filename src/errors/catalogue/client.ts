/** Errors in finding a cluster, connecting to it and authenticating. */
export const clientErrors = {
  TSOP_NO_CLUSTER: {
    message: "no cluster is configured: no --kubeconfig, no KUBECONFIG, not inside a pod, and no {home}",
    hint: "set KUBECONFIG or pass --kubeconfig; for the embedded server: npx tsop run --local, which writes .tsop/kubeconfig",
  },
  TSOP_KUBECONFIG_NOT_FOUND: {
    message: "kubeconfig {file} can't be read: {reason}",
    hint: "check the path in --kubeconfig or KUBECONFIG; a local server removes its file when it ends: unset KUBECONFIG",
  },
  TSOP_KUBECONFIG_INVALID: {
    message: "kubeconfig {file} is not valid: {reason}",
    hint: "compare it with: kubectl config view --kubeconfig {file}",
  },
  TSOP_KUBECONFIG_LOCAL: {
    message: "the kubeconfig of {source} can't be used: {field} would run a program or read a file of the operator",
    hint: "put tokens, certificates and keys into the kubeconfig itself: kubectl config view --flatten --raw",
  },
  TSOP_CONTEXT_NOT_FOUND: {
    message: "kubeconfig {file} has no {what} {name}; it has: {known}",
    hint: "name one that it has; to see the whole file: kubectl config view --kubeconfig {file}",
  },
  TSOP_NO_CONTEXT: {
    message: "kubeconfig {file} names no current context; its contexts: {known}",
    hint: "{hint}",
  },
  TSOP_SERVER_URL_INVALID: {
    message: "{server} is not the URL of an API server",
    hint: "the cluster's server must look like https://host:port",
  },
  TSOP_SERVER_UNREACHABLE: {
    message: "the API server {server} can't be reached: {reason}",
    hint: "check that the cluster runs and that the kubeconfig names the right one: kubectl cluster-info",
  },
  TSOP_SERVER_REFUSED: {
    message: "the API server refuses a request: {reason}",
    hint: "{hint}",
  },
  TSOP_NO_MANAGED_FIELDS: {
    message: "{kind} {name} has no metadata.managedFields, from which extractApplied reads",
    hint: "read the object with mgr.apiReader; or set stripManagedFields: false for its kind in cache.byKind of the manager",
  },
  TSOP_EXEC_LOST: {
    message: "the connection to {name} was closed before the command ended",
    hint: "look for the cause, and try again: kubectl get pods,events",
  },
  TSOP_EXEC_OUTPUT: {
    message: "{name} printed more than {mebibytes} MiB",
    hint: "copy the files by kubectl: kubectl exec POD --container NAME -- tar cf - PATH | tar xf -",
  },
  TSOP_SERVER_CERTIFICATE: {
    message: "the certificate of {server} is not trusted: {reason}",
    hint: "{hint}",
  },
  TSOP_CLIENT_CERTIFICATE: {
    message: "the client certificate for {server} can't be used: {reason}",
    hint: "client-certificate and client-key of the kubeconfig must be a matching pair in PEM form",
  },
  TSOP_CREDENTIALS_FILE: {
    message: "the {field} {file} can't be read: {reason}",
    hint: "the kubeconfig or the pod's service account names this file; check that it exists and is readable",
  },
  TSOP_CREDENTIALS_PROGRAM: {
    message: "the credential program {command} failed: {reason}",
    hint: "{hint}",
  },
  TSOP_AUTH_PROVIDER: {
    message: 'the auth-provider "{provider}" gave no credentials: {reason}',
    hint: "log in again, or use the exec plugin of the provider, for example gke-gcloud-auth-plugin or kubelogin",
  },
  TSOP_PROXY_UNSUPPORTED: {
    message: "the proxy {proxy} can't be used: only http://, https:// and socks5:// proxies can",
    hint: "set another proxy: proxy-url in the kubeconfig, or HTTPS_PROXY; NO_PROXY=HOST goes without one",
  },
  TSOP_RESOURCE_NOT_SERVED: {
    message: "the API server does not serve {kind} ({apiVersion}, {plural})",
    hint: "install its CRD: make install, or kubectl apply -f config/crd/bases",
  },
  TSOP_SUBRESOURCE_NOT_SERVED: {
    message: "the API server has no {subresource} subresource for {kind} ({apiVersion})",
    hint: "add +kubebuilder:subresource:{subresource} to the type, generate the manifests and install the CRD again",
  },
  TSOP_CLIENT_NODE_MISSING: {
    message: "@kubernetes/client-node can't be loaded",
    hint: "install it in your project; on Node 20 version 1.4 is the last that works: npm install @kubernetes/client-node@1.4",
  },
  TSOP_ANSWER_UNREADABLE: {
    message: "{method} {path} returned a body that is not JSON: {reason}",
    hint: "check the server's URL and the proxies between this program and the API server",
  },
  TSOP_ANSWER_TEXT: {
    message: "{method} {path} returned text, but a client reads only objects",
    hint: "read it through the transport: new HttpTransport(mgr.config).request(…), whose answer has text()",
  },
  TSOP_WATCH_LINE_TOO_LONG: {
    message: "a watch event is longer than {limit} bytes",
    hint: "no Kubernetes object is that large; check proxies between this program and the API server",
  },
  TSOP_NAME_INVALID: {
    message: '"{name}" is not a valid name or namespace of a {kind}',
    hint: 'a name contains no "/" and no "%", and is neither "." nor ".."; the server would read it as another path',
  },
  TSOP_NAME_MISSING: {
    message: "{verb} of a {kind} needs metadata.name",
    hint: "set metadata.name",
  },
  TSOP_NAMESPACE_MISSING: {
    message: "{verb} of a {kind} needs a namespace",
    hint: "{kind} is namespaced: set metadata.namespace, or pass a key with a namespace",
  },
  TSOP_NAMESPACE_OTHER: {
    message: "this client works in namespace {namespace}, and the {kind} is in namespace {given}",
    hint: "leave the namespace out, or use the client that namespacedClient was made of",
  },
  TSOP_METADATA_ONLY: {
    message: "{verb} of a {kind} that was read as metadata only would remove its other fields",
    hint: "patch it: client.patch(kind, key, mergeFrom(before, after))",
  },
  TSOP_PATCH_WITHOUT_VERSION: {
    message: "a patch with an optimistic lock needs the resourceVersion of the object it is based on",
    hint: "base the patch on an object that was read from the server",
  },
  TSOP_CRD_ABSENT: {
    message: "the cluster has no CustomResourceDefinition {name}",
    hint: "list them: kubectl get customresourcedefinitions",
  },
  TSOP_CRD_UNSERVED: {
    message: "no version of {name} is served, so that its objects can't be written",
    hint: "serve the version that is stored: set served: true in the CustomResourceDefinition",
  },
  TSOP_MIGRATION_REFUSED: {
    message: "{object} can't be written in the version that is stored: {reason}",
    hint: "correct or delete the object, and repeat the migration; status.storedVersions is as before",
  },
} as const;
