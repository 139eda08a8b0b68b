import { text } from "./argument.ts";
import { value, type Marker, type SchemaNode } from "./marker.ts";

/** Markers that define how server-side apply merges lists, maps and objects. */
export const topologyMarkers: readonly Marker<string>[] = [
  ...["listType", "k8s:listType"].map(listType),
  ...["listMapKey", "k8s:listMapKey"].map(listMapKey),
  atomicity("mapType", "granular: keys are merged one by one; atomic: the whole map is replaced.", (type) =>
    type === "object" ? undefined : "needs a map or an object",
  ),
  atomicity("structType", "granular: fields are merged one by one; atomic: the whole object is replaced.", (type) =>
    type === "object" || type === undefined ? undefined : "needs an object",
  ),
];

function atomicity(
  name: string,
  help: string,
  misfit: (type: SchemaNode["type"]) => string | undefined,
): Marker<string> {
  return {
    name,
    targets: ["field", "type"],
    argument: value(text),
    help,
    apply(node, kind) {
      if (kind !== "granular" && kind !== "atomic")
        return node.misfit(`does not accept "${kind}"`, "use granular or atomic");
      const reason = misfit(node.type);
      if (reason) return node.misfit(reason, "remove the marker");
      node.schema["x-kubernetes-map-type"] = kind;
    },
  };
}

function listType(name: string): Marker<string> {
  return {
    name,
    targets: ["field", "type"],
    argument: value(text),
    help: "map: elements are merged by their keys (see listMapKey); set: elements are merged by value; atomic: the whole list is replaced.",
    priority: 9,
    apply(node, kind) {
      if (kind !== "map" && kind !== "set" && kind !== "atomic")
        return node.misfit(`does not accept "${kind}"`, "use map, set or atomic");
      if (node.type !== "array") return node.misfit("needs a list", "remove the marker");
      node.schema["x-kubernetes-list-type"] = kind;
    },
  };
}

function listMapKey(name: string): Marker<string> {
  return {
    name,
    targets: ["field", "type"],
    argument: value(text),
    help: "A field that identifies the elements of a list with listType=map; repeatable.",
    apply(node, key) {
      if (node.type !== "array") return node.misfit("needs a list", "remove the marker");
      if (node.schema["x-kubernetes-list-type"] !== "map")
        return node.misfit("needs +listType=map", "add +listType=map");
      node.schema["x-kubernetes-list-map-keys"] = [...(node.schema["x-kubernetes-list-map-keys"] ?? []), key];
    },
  };
}
