#!/bin/sh
# Builds an operator at a version with published bugs and runs `tsop check` on it:
#   sh lab/real-operators/check.sh rabbitmq [flags of tsop check]
set -eu
name=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
built=$(sh "$here/build.sh" "$name")
get() { printf '%s\n' "$built" | sed -n "s/^$1=//p"; }
webhooks=$(get webhooks) input=$(get input)

# shellcheck disable=SC2046
exec node "$here/../../bin/tsop.js" check --exec "$(get run)" --apply "$(get crds)" \
  $([ -n "$webhooks" ] && echo "--apply $webhooks") \
  $([ -f "$input/before.yaml" ] && echo "--apply $input/before.yaml") \
  --sample "$input/sample.yaml" "$@"
