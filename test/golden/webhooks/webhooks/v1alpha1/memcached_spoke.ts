/*
Copyright 2026.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

import { spoke, type Spoke } from "tsop";
import type { Memcached as Hub } from "../../api/v1/zz_generated.kinds.ts";
import { Memcached } from "../../api/v1alpha1/zz_generated.kinds.ts";

/** Converts v1alpha1 to v1 and back. Name, namespace and type are set automatically. */
export const memcachedV1alpha1: Spoke<Hub> = spoke(Memcached, toHub, fromHub);

/** Translate the fields that differ. A conversion to the hub and back must not lose data. */
function toHub({ metadata, spec, status }: Memcached): Hub {
  return { metadata, spec, ...(status && { status }) };
}

function fromHub({ metadata, spec, status }: Hub): Memcached {
  return { metadata, spec, ...(status && { status }) };
}
