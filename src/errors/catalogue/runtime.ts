/** Errors of an operator: set-up, ports, caches, leadership, webhooks. */
export const runtimeErrors = {
  TSOP_BIND_FAILED: {
    message: "the {what} server can't listen on {address}: {reason}",
    hint: "another program uses the port: choose one with {flag}, or {off} to switch the server off",
  },
  TSOP_BIND_ADDRESS_INVALID: {
    message: '"{address}" is not an address to listen on',
    hint: "write :8081, 127.0.0.1:8081, or 0 to switch the server off",
  },
  TSOP_FRONT_PROXY_MISSING: {
    message: "the API server passes no requests on: it has no authority for the identity of a front proxy",
    hint: "start kube-apiserver with --requestheader-client-ca-file and --proxy-client-cert-file, as kubeadm does",
  },
  TSOP_MANAGER_STARTED: {
    message: "{what} after the manager was started",
    hint: "set everything up before mgr.start(signal), and start a manager only once",
  },
  TSOP_MANAGER_STOPPED: {
    message: "a runnable was added while the manager stops",
    hint: "add runnables before mgr.start(signal) ends",
  },
  TSOP_SHUTDOWN_TIMEOUT: {
    message: "not all runnables ended within the grace period of {seconds} s: {group}",
    hint: "let reconcilers watch ctx.signal, or raise gracefulShutdownTimeout",
  },
  TSOP_CACHE_NOT_STARTED: {
    message: "{kind} was read from the cache before the manager was started",
    hint: "read after mgr.start(signal), or read from the server: mgr.apiReader",
  },
  TSOP_CACHE_NOT_SYNCED: {
    message: "the cache has not received {kinds} within {seconds} s: {reason}",
    hint: "install the CRD (make install), and see that the Role allows get, list and watch (+kubebuilder:rbac markers)",
  },
  TSOP_KIND_NOT_CACHED: {
    message: "{kind} is not in the cache, and failOnMissingInformer forbids adding it on demand",
    hint: "watch the kind in a controller, or read from the server: mgr.apiReader",
  },
  TSOP_INDEX_MISSING: {
    message: 'the cache has no index of {kind} by "{field}"',
    hint: "make one before the manager starts: mgr.indexField({kind}, {field}, (object) => [...])",
  },
  TSOP_INDEX_EXISTS: {
    message: 'the cache already has an index of {kind} by "{field}"',
    hint: "call mgr.indexField once for each field",
  },
  TSOP_CACHE_FIELD_OPERATOR: {
    message: 'the cache can only compare fields with "=", not in {selector}',
    hint: "list from the server instead: mgr.apiReader.list",
  },
  TSOP_CACHE_CONTINUE: {
    message: "a cached list has no pages, so it takes no continue token",
    hint: "list without continue, or list from the server: mgr.apiReader",
  },
  TSOP_CACHE_NAMESPACES: {
    message: "the cache can't be limited to namespaces for {kind}, which is cluster-scoped",
    hint: "leave namespaces out of cache.byKind for {kind}; labels and fields are possible",
  },
  TSOP_DURATION_INVALID: {
    message: '"{duration}" is not a duration',
    hint: "write numbers with units, such as 1h30m, 90s or 500ms",
  },
  TSOP_TIME_INVALID: {
    message: '"{time}" is not a time',
    hint: "write it as RFC 3339, such as 2026-03-19T08:00:00Z",
  },
  TSOP_PERCENTAGE_INVALID: {
    message: '"{value}" is neither a number nor a percentage',
    hint: "write a number without quotes, or a whole number of percent, such as 25%",
  },
  TSOP_CONTROLLER_NAME_TAKEN: {
    message: 'two controllers have the name "{name}", so their metrics would collide',
    hint: "give one another name: controllerManagedBy(mgr).named(...)",
  },
  TSOP_CONTROLLER_STARTED: {
    message: 'controller "{name}" was started twice',
    hint: "add it to one manager only",
  },
  TSOP_CONTROLLER_INCOMPLETE: {
    message: "the controller can't be built: {reason}",
    hint: "controllerManagedBy(mgr).for(Kind).complete(reconciler)",
  },
  TSOP_CONCURRENCY_INVALID: {
    message: 'controller "{name}" has maxConcurrentReconciles {value}, with which it would reconcile nothing',
    hint: "give a whole number from 1 on, or leave it out for 1; Number() of an absent variable is NaN",
  },
  TSOP_REQUEUE_AFTER_INVALID: {
    message: "the reconciler returned requeueAfter {value}, which is not a number of milliseconds",
    hint: "check the time it is computed from: the time of an invalid Date is NaN",
  },
  TSOP_TIMER_INVALID: {
    message: "a timer of {request} was set to an invalid time",
    hint: "check the text that the time is read from: the time of an invalid Date is NaN",
  },
  TSOP_CHANNEL_FULL: {
    message: "{limit} events were sent to a channel that no controller listens to",
    hint: "give the channel to a controller, watchesSource(channelSource(channel, handler)), and start the manager",
  },
  TSOP_CHECK_EXISTS: {
    message: 'there is already a health check with the name "{name}"',
    hint: "give each check a name of its own",
  },
  TSOP_METRICS_PATH_TAKEN: {
    message: "the metrics server already serves {path}",
    hint: "choose another path for the extra handler",
  },
  TSOP_PROM_CLIENT: {
    message: "prom-client, which the metrics need, can't be loaded: {reason}",
    hint: "a bundle of ES modules by esbuild needs --banner:js=\"import * as nodeModule from 'node:module'; const require = nodeModule.createRequire(import.meta.url);\"; one that leaves packages out needs them in a node_modules next to it",
  },
  TSOP_SIGNAL_HANDLER_TWICE: {
    message: "setupSignalHandler was called twice",
    hint: "call it once in main.ts and pass the signal on",
  },
  TSOP_FLAG_INVALID: {
    message: "--{flag}: {reason}",
    hint: "run with --help for all flags",
  },
  TSOP_FLAGS_HELP: {
    message: "{usage}",
    hint: "give the flags after --, as in tsop run --local -- --leader-elect, or with make run ARGS=--leader-elect",
  },
  TSOP_OWNER_SCOPE: {
    message: "{owner} in namespace {ownerNamespace} can't own {object} in namespace {objectNamespace}",
    hint: "owner and object must be in the same namespace, or the owner must be cluster-scoped; use a finalizer to clean up elsewhere",
  },
  TSOP_OWNER_UNKNOWN: {
    message: "the owner has no {field}, so nothing can reference it",
    hint: "read the owner through the client before you make it an owner",
  },
  TSOP_OWNER_TAKEN: {
    message: "{object} is already controlled by {owner}",
    hint: "an object has one controller: use setOwnerReference, or another name for the object",
  },
  TSOP_OWNER_ABSENT: {
    message: "{object} has no owner reference to {owner}",
    hint: "check with hasOwnerReference first",
  },
  TSOP_FINALIZER_EXISTS: {
    message: "the finalizer {name} is already registered",
    hint: "give each finalizer a name of its own, such as example.com/clean-up-dns",
  },
  TSOP_MUTATE_CHANGED_KEY: {
    message: "the mutate function changed the name or namespace of {object}",
    hint: "set name and namespace before createOrUpdate",
  },
  TSOP_MERGE_NOT_BUILT_IN: {
    message: "{kind} of {apiVersion} is not a built-in kind, so tsop cannot merge its lists",
    hint: "merge the part of it that is of a built-in type, such as the template of pods in a PodTemplate",
  },
  TSOP_LEADER_ELECTION_INCOMPLETE: {
    message: "leader election needs {what}",
    hint: "set leaderElection.id (and leaderElection.namespace outside a cluster) in createManager's options",
  },
  TSOP_LEADER_ELECTION_DURATIONS: {
    message: "leader election: {reason}",
    hint: "the defaults are leaseDuration 15000, renewDeadline 10000, retryPeriod 2000",
  },
  TSOP_LEADERSHIP_LOST: {
    message: "leader election lost",
    hint: "the Lease was not renewed in time, for the reason in the log, or another replica has it; let this process end so that it is started again",
  },
  TSOP_RING_MISSING: {
    message: "there is no ControllerRing {name}, or the cluster does not serve the kind",
    hint: "install the sharder of kubernetes-controller-sharding, which defines the kind; tsop edit --plugins sharding writes a ring, and make deploy creates it; or leave out --sharding-ring",
  },
  TSOP_RING_FORBIDDEN: {
    message: "the ControllerRing {name} may not be read",
    hint: "add the marker // +kubebuilder:rbac:groups=sharding.timebertt.dev,resources=controllerrings,verbs=get and run tsop generate",
  },
  TSOP_RING_CHILD: {
    message: "the ring {ring} keeps objects of {kind} from the controller that needs them: {reason}",
    hint: "take the kind out of the ControllerRing, as tsop edit --plugins sharding does; each replica then watches all of its objects",
  },
  TSOP_SHARD_NAME: {
    message: '"{name}" can\'t be the name of a shard: {reason}',
    hint: "give another one, unique in the ring: --sharding-shard=shard-1",
  },
  TSOP_SHARD_LOST: {
    message: "the lease of this shard is lost",
    hint: "other shards have its objects now; let this process end so that it is started again",
  },
  TSOP_SHARD_WITHOUT_LEADER: {
    message:
      "a runnable that needs leader election was added to a shard of {ring} without leader election: every replica would do its work",
    hint: "start with --leader-elect, or set needLeaderElection: false for what each replica is to do",
  },
  TSOP_LEASE_NAMESAKE: {
    message: "another process has taken the lease as {identity}, too, or the API server was restored from a backup",
    hint: "unless it was restored, give each replica a name of its own: --sharding-shard; pods on the host's network share their node's name",
  },
  TSOP_NOT_LEADING: {
    message: "a write was blocked: the lease was last renewed {seconds} s ago",
    hint: "the event loop was blocked, the machine suspended, its clock changed, or the API server unreachable; look for long synchronous work",
  },
  TSOP_LEASE_RELEASED: {
    message: "a write was blocked: this process has released its lease",
    hint: "code that writes must stop when its signal aborts, within the manager's gracefulShutdownTimeout",
  },
  TSOP_SERVING_CERTIFICATE: {
    message: "the serving certificate {certFile} with key {keyFile} can't be used: {reason}",
    hint: "give the folder with --webhook-cert-path or --metrics-cert-path; in a cluster cert-manager fills it from a Secret",
  },
  TSOP_WEBHOOK_PATH_TAKEN: {
    message: "two webhooks are registered for {path}",
    hint: "give one of them another path: the path option of withDefaulter and withValidator",
  },
  TSOP_WEBHOOK_PATH_INVALID: {
    message: '"{path}" is not a path for a webhook',
    hint: "a path has parts of letters, digits, - and _ after slashes: /validate-apps-v1-deployment",
  },
  TSOP_WEBHOOK_INCOMPLETE: {
    message: "the webhook for {kind} does nothing",
    hint: "webhookManagedBy(mgr, {kind}).withDefaulter(...), .withValidator(...) or .withConverter(...)",
  },
  TSOP_CONVERTER_VERSION: {
    message: "{version} of {kind} can't be a spoke of {groupKind}",
    hint: "a spoke is another version of the hub's kind, and each version is registered once",
  },
  TSOP_FLEET_CLUSTER_AWAY: {
    message: "cluster {cluster} ({server}) is away: {reason}",
    hint: "its work continues once it answers; see that the kubeconfig names the right server: kubectl cluster-info",
  },
  TSOP_FLEET_CLUSTER_UNKNOWN: {
    message: 'the fleet has no cluster "{name}"; it has: {known}',
    hint: "take the name from a request or from fleet.clusters: a cluster may have left",
  },
  TSOP_FLEET_HUB_ONLY: {
    message: "{method} belongs to the manager of the hub, not to the manager of a cluster",
    hint: "call it before the start on the manager that createFleet got: mgr.{method}(...)",
  },
  TSOP_FLEET_NAME_TAKEN: {
    message: 'cluster "{name}" of {source} is already configured by {owner}',
    hint: "names of clusters are unique: rename the file, the context or the Secret",
  },
  TSOP_FLEET_PATH: {
    message: "the kubeconfigs of the fleet in {path} can't be read: {reason}",
    hint: "give a kubeconfig, or a folder of kubeconfigs: kubeconfigFiles(path)",
  },
  TSOP_FLEET_SECRET_KEY: {
    message: "{secret} has no kubeconfig under the key {key}",
    hint: "write it there, or remove the label that makes the Secret one of the fleet",
  },
  TSOP_FLEET_PROFILE_OPTIONS: {
    message: "clusterProfiles has neither a providerFile nor a consumer, so that no cluster can be reached",
    hint: "give the file of access providers as providerFile, or the label of this operator's Secrets as consumer",
  },
  TSOP_FLEET_PROVIDER_FILE: {
    message: "the access providers in {path} can't be read: {reason}",
    hint: "write the file that programs in Go read with --clusterprofile-provider-file, as JSON: a list `providers`, each with `name` and `execConfig`",
  },
  TSOP_FLEET_PROFILE_ACCESS: {
    message: "the status of ClusterProfile {cluster} lists no access provider of this operator: {known}",
    hint: "add the provider and its program to the providerFile; kubectl get clusterprofile -o yaml shows what the profile has",
  },
  TSOP_FLEET_PROFILE_SECRETS: {
    message: "ClusterProfile {cluster} has {count} Secrets for this consumer, not one",
    hint: "keep one Secret with the labels x-k8s.io/cluster-inventory-consumer and x-k8s.io/cluster-profile",
  },
} as const;
