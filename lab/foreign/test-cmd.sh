#!/usr/bin/env bash
# Runs Kubernetes' test/cmd against a server that is running; the working directory is a copy of Kubernetes' sources:
#   test-cmd.sh RESULTS [CASE...]
# The server listens on SECURE_API_PORT and knows TOKEN. RESULTS/codes gets a line for each case, its exit code and its
# name; RESULTS/CASE.log has its output. With names, only these cases run.
set -o errexit -o nounset -o pipefail
results=$1
shift
wanted=" $* "
export TERM=xterm    # the scripts print in colours
export ALLOW_SKEW=1  # the version of the embedded server has a suffix

source hack/lib/init.sh
source hack/lib/test.sh
source test/cmd/legacy-script.sh

# Takes the place of the function that reports to junit. A case is a process group, so that none goes on after its end.
record_command() {
  local name=$1
  [[ $wanted == "  " || $wanted == *" $name "* ]] || return 0
  set +o errexit +o nounset
  set -o monitor
  ("$@") >"$results/$name.log" 2>&1 </dev/null &
  local case=$!
  (sleep 600 && kill -KILL -- "-$case") >/dev/null 2>&1 &
  local guard=$!
  wait "$case"
  local code=$?
  kill -KILL -- "-$case" "-$guard" 2>/dev/null
  set +o monitor
  echo "$code $name" >>"$results/codes"
  set -o errexit -o nounset
}

CONTEXT=test
kubectl config set-credentials test-admin --token "$TOKEN"
kubectl config set-cluster local --insecure-skip-tls-verify --server "https://127.0.0.1:$SECURE_API_PORT"
kubectl config set-context "$CONTEXT" --user test-admin --cluster local
kubectl config use-context "$CONTEXT"
KUBE_TEMP=$TMPDIR

# No kubelet runs. The annotation gives the node a field manager.
kubectl create -f - <<'NODE'
apiVersion: v1
kind: Node
metadata: {name: 127.0.0.1, annotations: {save-managers: "true"}}
status: {capacity: {memory: 1Gi}}
NODE
SUPPORTED_RESOURCES=("*")
runTests
