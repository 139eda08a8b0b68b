import { builtinTypeName } from "./builtin-types.ts";
import { knownType } from "./known-types.ts";

/** Returns what to write instead of a type of Go, such as `int32`, `metav1.Time` or `corev1.PodSpec`. */
export function goTypeAdvice(name: string): string | undefined {
  const basic = basicTypes.get(name);
  if (basic) return basic;
  const [, , group = "", version = "", type = ""] = /^(([a-z]+)(v\d\w*)|[a-z]+)\.(\w+)$/.exec(name) ?? [];
  const ownName = type || name;
  if (knownType(ownName) || builtinTypeName("tsop", ownName)) return importOf(ownName, "tsop");
  const module = `tsop/k8s/${group}/${version}`;
  return builtinTypeName(module, type) ? importOf(type, module) : undefined;
}

const basicTypes = new Map([
  ["int", "write number, which is an integer in a schema"],
  ["int32", "use Int32 from tsop"],
  ["int64", "use Int64 from tsop"],
  ["float32", "use Float from tsop"],
  ["float64", "use Float from tsop"],
  ["bool", "write boolean"],
  ["byte", "use Bytes from tsop instead of a list"],
  ["map", "use Record<string, T>"],
]);

function importOf(name: string, module: string): string {
  return `import type { ${name} } from "${module}"`;
}
