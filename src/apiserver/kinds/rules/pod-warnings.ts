import { type Fields, items } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { valueAt } from "../../registry/simple-path.ts";
import { dnsLabelProblems } from "./name-errors.ts";

/** Returns warnings about allowed but harmful parts of a pod's spec. */
export function podWarnings(spec: Fields | undefined, path: string): string[] {
  const lists = ["initContainers", "containers"] as const;
  return lists.flatMap((list) =>
    items(spec, list).flatMap((container, index) => containerWarnings(container, `${path}.${list}[${index}]`)),
  );
}

/** Returns warnings about the pods of a template if the spec has changed. */
export function templateWarnings(object: UnstructuredObject, old: UnstructuredObject | undefined): string[] {
  if (old && old.metadata.generation === object.metadata.generation) return [];
  return podWarnings(valueAt(object, "spec.template.spec") as Fields | undefined, "spec.template.spec");
}

function containerWarnings(container: Fields, at: string): string[] {
  return [
    ...repeatedVariables(items(container, "env"), `${at}.env`),
    ...repeatedPorts(items(container, "ports"), `${at}.ports`),
  ];
}

function repeatedVariables(variables: readonly Fields[], at: string): string[] {
  const seen = new Set<unknown>();
  return variables.flatMap(({ name }, index) => {
    if (seen.has(name))
      return [
        `${at}[${index}]: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`,
      ];
    seen.add(name);
    return [];
  });
}

function repeatedPorts(ports: readonly Fields[], at: string): string[] {
  const first = new Map<string, number>();
  return ports.flatMap(({ protocol, hostPort = 0, hostIP = "", containerPort }, index) => {
    const key = JSON.stringify([protocol, hostPort, hostIP, containerPort]);
    const before = first.get(key);
    if (before === undefined) {
      first.set(key, index);
      return [];
    }
    return [`${at}[${index}]: duplicate port definition with ${at}[${before}]`];
  });
}

/** Returns a warning if a name that becomes a host name is not a DNS label. */
export function hostNameWarnings(name: string | undefined, use: string): string[] {
  const problems = name ? dnsLabelProblems(name) : [];
  if (problems.length === 0) return [];
  const why = `which can result in surprising behavior; a DNS label is recommended: [${problems.join(" ")}]`;
  return [`metadata.name: this is used in ${use}, ${why}`];
}
