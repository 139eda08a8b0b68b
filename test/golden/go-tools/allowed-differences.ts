/** A difference between the built objects of tsop's and the Go tools' projects, and its reason. */
export interface AllowedDifference {
  /** `Kind/name (apiVersion)` of the built object. */
  readonly object: RegExp;
  /** Path of the field; `""` for the whole object. */
  readonly path: RegExp;
  readonly reason: string;
}

const manager = /^Deployment\/.*controller-manager /;
const container = String.raw`^spec\.template\.spec\.containers\.0\.`;

export const allowedDifferences: readonly AllowedDifference[] = [
  { object: manager, path: new RegExp(`${container}command`), reason: "the image's entry point is Node, not /manager" },
  {
    object: manager,
    path: new RegExp(`${container}resources`),
    reason: "a Node process needs more memory than a Go one",
  },
  { object: manager, path: new RegExp(`${container}env`), reason: "Node's heap is limited below the memory limit" },
  {
    object: manager,
    path: new RegExp(`${container}(ports|securityContext\\.readOnlyRootFilesystem|args\\.)`),
    reason: "operator-sdk's scaffold is older: kubebuilder names the health port and has a read-only root file system",
  },
  {
    object: /^Role\/.*leader-election-role /,
    path: /^rules/,
    reason: "leases only: client-go has removed locks in ConfigMaps; events include events.k8s.io",
  },
  {
    object: /^Certificate\/.*metrics-certs /,
    path: /^spec\.dnsNames/,
    reason: "kubebuilder leaves the placeholders in; here the certificate has the names of the service",
  },
  {
    object: /^Configuration\/config /,
    path: /^stages\.0\.tests\.\d+\.image$/,
    reason: "the version of the image: operator-sdk uses its own",
  },
  {
    object: /^Memcached\/|^Frigate\/|^Destroyer\/|^Kraken\/|^Captain\//,
    path: /^spec/,
    reason: "samples are valid objects here, not empty",
  },
  {
    object: /^(Memcached|Captain)\/\w+-(\w+-)?sample \((cache|crew)\.example\.com\/(v1|v1beta1|v2)\)$/,
    path: /^$/,
    reason: "the sample of a second version has a name of its own, so that both can be applied",
  },
  {
    object: /^NetworkPolicy\/allow-webhook-traffic /,
    path: /^spec\.ingress\.0\.(from|ports\.0\.port)$/,
    reason: "a policy applies to the pod's port, 9443, and the API server is in no namespace",
  },
];
