import { cpSync } from "node:fs";
import { join } from "node:path";
import { repository } from "./shell.ts";

/** The code that the reader of the tutorial writes after `create api --group cache --kind Memcached`. */
const files = [
  "api/v1alpha1/memcached_types.ts",
  "controllers/memcached_controller.ts",
  "controllers/memcached_controller.test.ts",
  "main.ts",
  "config/manager/manager.yaml",
  "config/samples/cache_v1alpha1_memcached.yaml",
];

/** Turns a new project into the operator of examples/memcached-operator. */
export function completeMemcached(project: string): void {
  for (const file of files) cpSync(join(repository, "examples/memcached-operator", file), join(project, file));
}
