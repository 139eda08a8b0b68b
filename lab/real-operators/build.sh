#!/bin/sh
# Builds an operator of another project, and prints how it is run:
#   sh lab/real-operators/build.sh rabbitmq
# It needs Go and the Go module proxy. OPERATORS is the folder for sources and binaries.
set -eu
name=$1
here=$(cd "$(dirname "$0")" && pwd)
folder=${OPERATORS:-/tmp/tsop-operators}
export GOFLAGS=-mod=mod GOSUMDB=off
mkdir -p "$folder"

# locate MODULE: prints the folder of a downloaded module.
locate() {
  (cd "$folder" && go mod download -json "$1" | sed -n 's/.*"Dir": "\(.*\)",/\1/p')
}

# build MODULE-OR-REPOSITORY PACKAGE [CHANGE OF THE SOURCE]: the result is $folder/$name/program.
build() {
  source=$folder/$name
  [ -x "$source/program" ] && return
  rm -rf "$source"
  case $1 in
    https:*) git clone --quiet --depth 1 --branch "${1#*@}" "${1%@*}" "$source" ;;
    *) cp -r "$(locate "$1")" "$source" && chmod -R u+w "$source" ;;
  esac
  # Modules whose hosts are gone, and one that fails with maps of Go 1.24 and newer.
  (cd "$source" && go mod edit -replace vbom.ml/util=github.com/fvbommel/util@v0.0.0-20180919145318-efcd4e0f9787 \
    -replace bou.ke/monkey=github.com/bouk/monkey@v1.0.1 \
    -replace github.com/modern-go/reflect2=github.com/modern-go/reflect2@v1.0.2 && eval "${3:-:}" && go build -o program "$2")
}

# policy/v1beta1 is not served since Kubernetes 1.25; its types are those of policy/v1.
policy="grep -rlE 'policy/v1beta1|PolicyV1beta1' --include=*.go . | xargs sed -i 's#policy/v1beta1#policy/v1#g; s#PolicyV1beta1()#PolicyV1()#g'"

crds= webhooks= roles=
case $name in
  rabbitmq | rabbitmq-1.8 | rabbitmq-2)
    case $name in
      rabbitmq) build github.com/rabbitmq/cluster-operator@v1.6.0 . ;;
      rabbitmq-1.8) build github.com/rabbitmq/cluster-operator@v1.8.0 . ;;
      rabbitmq-2) build github.com/rabbitmq/cluster-operator/v2@v2.16.1 . ;;
    esac
    case $name in rabbitmq-2) metrics=metrics-bind-address ;; *) metrics=metrics-addr ;; esac
    run="env KUBE_CONFIG=\$KUBECONFIG OPERATOR_NAMESPACE=rabbitmq-system $folder/$name/program --$metrics=127.0.0.1:0"
    crds=$folder/$name/config/crd/bases input=rabbitmq ;;
  zookeeper-0.2.9)
    # The program listens at a fixed port, and needs policy/v1beta1.
    build github.com/pravega/zookeeper-operator@v0.2.9 ./cmd/manager \
      "sed -i '/r.reconcilePodDisruptionBudget,/d' pkg/controller/zookeepercluster/zookeepercluster_controller.go
       sed -i 's/manager.Options{NewCache/manager.Options{MetricsBindAddress: \"0\", NewCache/' cmd/manager/main.go"
    run="env WATCH_NAMESPACE= OPERATOR_NAME=zookeeper-operator $folder/$name/program"
    # Its own CRD is of apiextensions.k8s.io/v1beta1.
    crds=$(locate github.com/pravega/zookeeper-operator@v0.2.14)/config/crd/bases input=zookeeper ;;
  zookeeper)
    # The program takes its namespace from a file of its pod, and is the leader for the life of that pod.
    build github.com/pravega/zookeeper-operator@v0.2.14 . \
      "$policy
       sed -i 's/err = leader.Become(ctx, lockName)/_ = leader.Become/' pkg/utils/leader.go
       sed -i 's#ioutil.ReadFile(\"/var/run/secrets/kubernetes.io/serviceaccount/namespace\")#[]byte(\"default\"), error(nil)#; /\"io\/ioutil\"/d' main.go"
    run="env WATCH_NAMESPACE= POD_NAME=zookeeper-operator $folder/$name/program --metrics-bind-address=127.0.0.1:0"
    crds=$folder/$name/config/crd/bases input=zookeeper ;;
  redis-failover)
    build github.com/spotahome/redis-operator@v1.1.1 ./cmd/redisoperator "$policy"
    run="$folder/$name/program -development -kubeconfig=\$KUBECONFIG -listen-address=127.0.0.1:0"
    crds=$folder/$name/manifests/databases.spotahome.com_redisfailovers.yaml input=redis-failover ;;
  redis-single | redis-cluster)
    # A CRD of this version holds the marks of a merge.
    build https://github.com/OT-CONTAINER-KIT/redis-operator@v0.10.0 . \
      "sed -i '/^<<<<<<< /d; /^=======/,/^>>>>>>> /d' config/crd/bases/*.yaml"
    run="$folder/$name/program --metrics-bind-address=127.0.0.1:0 --health-probe-bind-address=127.0.0.1:0"
    crds=$folder/$name/config/crd/bases input=$name ;;
  mongodb)
    # The program listens at a fixed port.
    build github.com/mongodb/mongodb-kubernetes-operator@v0.7.3 ./cmd/manager \
      "sed -i 's/Namespace: watchNamespace,/Namespace: watchNamespace, MetricsBindAddress: \"0\",/' cmd/manager/main.go"
    run="env WATCH_NAMESPACE=default OPERATOR_NAME=mongodb POD_NAME=operator AGENT_IMAGE=agent MONGODB_IMAGE=mongo \
      MONGODB_REPO_URL=docker.io VERSION_UPGRADE_HOOK_IMAGE=hook READINESS_PROBE_IMAGE=probe $folder/$name/program"
    crds=$folder/$name/config/crd/bases input=$name ;;
  cassandra)
    # The program waits for twenty seconds after each step.
    build github.com/k8ssandra/cass-operator@v1.10.0 . \
      "$policy
       sed -i 's/twentySecs := time.Second \* 20/twentySecs := time.Millisecond/' controllers/cassandra/cassandradatacenter_controller.go
       sed -i -E 's/enableQuietPeriod\([0-9]+\)/enableQuietPeriod(0)/' pkg/reconciliation/reconcile_racks.go"
    printf '%s\n' 'apiVersion: config.k8ssandra.io/v1beta1' 'kind: OperatorConfig' 'disableWebhooks: true' \
      'metrics: { bindAddress: "0" }' 'health: { healthProbeBindAddress: "0" }' 'leaderElection: { leaderElect: false }' \
      "imageConfigFile: $folder/$name/config/manager/image_config.yaml" > "$folder/$name/operator.yaml"
    run="env WATCH_NAMESPACE=default $folder/$name/program --config $folder/$name/operator.yaml"
    crds=$folder/$name/config/crd/bases input=$name ;;
  rollouts)
    build github.com/argoproj/argo-rollouts@v1.8.3 ./cmd/rollouts-controller
    run="$folder/$name/program --leader-elect=false --metricsport 18090 --healthzPort 18080"
    crds=$folder/$name/manifests/crds input=$name ;;
  grafana)
    build github.com/grafana/grafana-operator/v5@v5.19.4 .
    run="$folder/$name/program -metrics-bind-address=127.0.0.1:0 -health-probe-bind-address=127.0.0.1:0 -pprof-addr="
    crds=$folder/$name/config/crd/bases input=$name ;;
  prometheus | prometheus-0.75)
    # Its replacements name folders of the repository, which its module does not contain.
    local="sed -i '/=> \.\//d' go.mod"
    case $name in
      prometheus) build github.com/prometheus-operator/prometheus-operator@v0.85.0 ./cmd/operator "$local" ;;
      prometheus-0.75) build github.com/prometheus-operator/prometheus-operator@v0.75.0 ./cmd/operator "$local" ;;
    esac
    run="$folder/$name/program --web.listen-address=127.0.0.1:0"
    crds=$folder/$name/example/prometheus-operator-crd input=prometheus
    roles=$folder/$name/example/rbac/prometheus-operator/prometheus-operator-cluster-role.yaml ;;
  kuberay)
    build github.com/ray-project/kuberay/ray-operator@v1.4.2 .
    run="$folder/$name/program --metrics-addr 127.0.0.1:0 --health-probe-bind-address 127.0.0.1:0 --enable-leader-election=false"
    crds=$folder/$name/config/crd/bases input=$name ;;
  jobset)
    build sigs.k8s.io/jobset@v0.10.1 .
    # The program reads the port and the folder of its webhooks from a file.
    printf '%s\n' 'printf "%s\n" "apiVersion: config.jobset.x-k8s.io/v1alpha1" "kind: Configuration" "leaderElection: { leaderElect: false }" \' \
      '  "internalCertManagement: { enable: false }" "webhook: { port: $1, certDir: $2 }" > "$2/configuration.yaml"' \
      "exec $folder/$name/program --config \"\$2/configuration.yaml\" --metrics-bind-address=0 --health-probe-bind-address=127.0.0.1:0" \
      > "$folder/$name/run.sh"
    run="sh $folder/$name/run.sh \$TSOP_WEBHOOK_PORT \$TSOP_WEBHOOK_CERT_DIR"
    crds=$folder/$name/config/components/crd/bases webhooks=$folder/$name/config/components/webhook/manifests.yaml input=$name ;;
  cert-manager | cert-manager-1.19)
    # Version 1.19 has no settings of the time after a failed issuance.
    case $name in
      cert-manager) build github.com/cert-manager/cert-manager@v1.21.2 ./program.d \
        "mkdir program.d && cp $here/cert-manager/main.go program.d" ;;
      cert-manager-1.19) build github.com/cert-manager/cert-manager@v1.19.3 ./program.d \
        "mkdir program.d && grep -v CertificateRequestM $here/cert-manager/main.go > program.d/main.go" ;;
    esac
    run=$folder/$name/program
    crds=$folder/$name/deploy/crds input=cert-manager ;;
  cluster-api)
    # Its conversions alone: check it with --only conversion.
    build sigs.k8s.io/cluster-api@v1.5.1 ./program.d "mkdir program.d && cp $here/cluster-api/main.go program.d"
    mkdir -p "$folder/$name/crds"
    sed 's/^spec:$/&\n  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {service: {namespace: default, name: webhooks, path: \/convert}}}}/' \
      "$folder/$name/config/crd/bases/cluster.x-k8s.io_clusterclasses.yaml" > "$folder/$name/crds/clusterclasses.yaml"
    run="$folder/$name/program \$TSOP_WEBHOOK_PORT \$TSOP_WEBHOOK_CERT_DIR"
    crds=$folder/$name/crds input=cluster-api ;;
  external-secrets | external-secrets-0.9)
    # The other providers need the libraries of their clouds.
    only_fake="sed -i '/provider\/fake\"/!{/external-secrets\/pkg\/provider\//d}' pkg/provider/register/register.go"
    case $name in
      external-secrets) build github.com/external-secrets/external-secrets@v0.16.2 . "$only_fake" ;;
      external-secrets-0.9) build github.com/external-secrets/external-secrets@v0.9.3 . "$only_fake" ;;
    esac
    run="$folder/$name/program --metrics-addr=127.0.0.1:0"
    crds=$folder/$name/config/crds/bases input=external-secrets ;;
  kueue)
    # The program takes the certificate of its metrics from a fixed folder, and its settings from a file.
    build sigs.k8s.io/kueue@v0.17.0 ./cmd/kueue \
      "sed -i 's#metricsCertPath := .*#metricsCertPath := cfg.Webhook.CertDir#' cmd/kueue/main.go"
    printf '%s\n' 'printf "%s\n" "apiVersion: config.kueue.x-k8s.io/v1beta2" "kind: Configuration" "leaderElection: { leaderElect: false }" \' \
      '  "internalCertManagement: { enable: false }" "health: { healthProbeBindAddress: 127.0.0.1:0 }" "namespace: kueue-system" \' \
      '  "metrics: { bindAddress: \"0\" }" "webhook: { port: $1, certDir: $2 }" "clientConnection: { qps: 50, burst: 100 }" \' \
      '  "integrations: { frameworks: [batch/job] }" > "$2/configuration.yaml"' \
      "exec $folder/$name/program --config \"\$2/configuration.yaml\" --feature-gates=VisibilityOnDemand=false" > "$folder/$name/run.sh"
    run="sh $folder/$name/run.sh \$TSOP_WEBHOOK_PORT \$TSOP_WEBHOOK_CERT_DIR"
    crds=$folder/$name/config/components/crd/bases webhooks=$folder/$name/config/components/webhook/manifests.yaml input=kueue ;;
  trainer)
    # The program makes the certificates of its webhooks itself. It makes JobSets and PodGroups.
    build github.com/kubeflow/trainer/v2@v2.0.0 ./cmd/trainer-controller-manager \
      "rm manifests/base/crds/kustomization.yaml
       cp $(locate sigs.k8s.io/jobset@v0.8.2)/config/components/crd/bases/*.yaml manifests/base/crds
       cp $(locate sigs.k8s.io/scheduler-plugins@v0.30.6)/config/crd/bases/*podgroups.yaml manifests/base/crds
       sed -i 's/certsReady := make(chan struct{})/&; close(certsReady)/; /cert.ManageCerts/,/^\t}\$/d; /pkg\/util\/cert\"/d
         s/Port: .*webhookServerPort,/&CertDir: os.Getenv(\"TSOP_WEBHOOK_CERT_DIR\"),/' cmd/trainer-controller-manager/main.go"
    run="$folder/$name/program --health-probe-bind-address=0 --webhook-server-port=\$TSOP_WEBHOOK_PORT"
    crds=$folder/$name/manifests/base/crds webhooks=$folder/$name/manifests/base/webhook/manifests.yaml input=$name ;;
  *)
    echo "there is no operator $name" >&2
    exit 2 ;;
esac

printf '%s\n' "run=$run" "crds=$crds" "webhooks=$webhooks" "roles=${roles:-$crds/../../rbac/role.yaml}" "input=$here/$input"
