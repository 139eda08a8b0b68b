#!/bin/sh
# Builds two versions of an operator and runs `tsop check` on the upgrade from the first one to the second one:
#   sh lab/real-operators/upgrade.sh rabbitmq rabbitmq-2 [flags of tsop check]
set -eu
older=$1 newer=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
built=$(sh "$here/build.sh" "$older")
get() { printf '%s\n' "$built" | sed -n "s/^$1=//p"; }
input=$(get input)

# shellcheck disable=SC2046
exec sh "$here/check.sh" "$newer" --only upgrade,rollback \
  --upgrade-from-exec "$(get run)" --upgrade-from-apply "$(get crds)" --upgrade-from-sample "$input/sample.yaml" \
  $([ -f "$input/before.yaml" ] && echo "--upgrade-from-apply $input/before.yaml") "$@"
