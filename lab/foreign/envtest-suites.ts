/** A package of a module in Go whose tests start a server with envtest. */
export interface EnvtestSuite {
  readonly name: string;
  readonly module: string;
  readonly package: string;
  readonly arguments?: readonly string[];
}

const controllerRuntime = "sigs.k8s.io/controller-runtime@v0.24.1";

const clusterApi = "sigs.k8s.io/cluster-api@v1.11.2";

export const envtestSuites: readonly EnvtestSuite[] = [
  {
    name: "controller-runtime 0.14.7 client",
    module: "sigs.k8s.io/controller-runtime@v0.14.7",
    package: "pkg/client",
  },
  { name: "controller-runtime client", module: controllerRuntime, package: "pkg/client" },
  { name: "controller-runtime envtest", module: controllerRuntime, package: "pkg/envtest" },
  { name: "controller-runtime cache", module: controllerRuntime, package: "pkg/cache" },
  { name: "controller-runtime webhook", module: controllerRuntime, package: "pkg/webhook" },
  { name: "controller-runtime builder", module: controllerRuntime, package: "pkg/builder" },
  { name: "controller-runtime controllerutil", module: controllerRuntime, package: "pkg/controller/controllerutil" },
  { name: "controller-runtime apiutil", module: controllerRuntime, package: "pkg/client/apiutil" },
  { name: "controller-runtime source", module: controllerRuntime, package: "pkg/source" },
  {
    name: "KubeRay webhooks",
    module: "github.com/ray-project/kuberay/ray-operator@v1.4.2",
    package: "pkg/webhooks/v1",
  },
  { name: "RabbitMQ API", module: "github.com/rabbitmq/cluster-operator/v2@v2.16.1", package: "api/v1beta1" },
  { name: "JobSet webhooks", module: "sigs.k8s.io/jobset@v0.10.1", package: "test/integration/webhook" },
  { name: "LeaderWorkerSet webhooks", module: "sigs.k8s.io/lws@v0.7.0", package: "test/integration/webhooks" },
  { name: "Cluster API patch", module: clusterApi, package: "util/patch" },
  { name: "Cluster API CRD migrator", module: clusterApi, package: "controllers/crdmigrator" },
];
