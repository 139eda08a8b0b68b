import { type Fields, listAt, mapAt, numberAt, textAt, valueAt } from "../field-access.ts";
import { creationAge } from "../human-duration.ts";
import { labelSelectorText, labelText } from "../label-text.ts";
import { printer, type Cell, type Printer } from "../printer.ts";

const deployment = printer("Ready|Up-to-date|Available|Age|Containers*|Images*|Selector*", (object, now) => [
  `${numberAt(object, "status", "readyReplicas")}/${numberAt(object, "spec", "replicas")}`,
  numberAt(object, "status", "updatedReplicas"),
  numberAt(object, "status", "availableReplicas"),
  creationAge(object, now),
  ...containerCells(valueAt(object, "spec", "template")),
  labelSelectorText(valueAt(object, "spec", "selector")),
]);

const replicaColumns = "Desired:integer|Current:integer|Ready:integer|Age|Containers*|Images*|Selector*";

const replicaSet = printer(replicaColumns, (object, now) => [
  ...replicaCells(object),
  creationAge(object, now),
  ...containerCells(valueAt(object, "spec", "template")),
  labelSelectorText(valueAt(object, "spec", "selector")),
]);

const replicationController = printer(replicaColumns, (object, now) => [
  ...replicaCells(object),
  creationAge(object, now),
  ...containerCells(valueAt(object, "spec", "template")),
  labelText(mapAt(object, "spec", "selector")),
]);

const statefulSet = printer("Ready|Age|Containers*|Images*", (object, now) => [
  `${numberAt(object, "status", "readyReplicas")}/${numberAt(object, "spec", "replicas")}`,
  creationAge(object, now),
  ...containerCells(valueAt(object, "spec", "template")),
]);

const daemonSet = printer(
  "Desired:integer|Current:integer|Ready:integer|Up-to-date:integer|Available:integer|Node Selector|Age|Containers*|Images*|Selector*",
  (object, now) => [
    numberAt(object, "status", "desiredNumberScheduled"),
    numberAt(object, "status", "currentNumberScheduled"),
    numberAt(object, "status", "numberReady"),
    numberAt(object, "status", "updatedNumberScheduled"),
    numberAt(object, "status", "numberAvailable"),
    labelText(mapAt(object, "spec", "template", "spec", "nodeSelector")),
    creationAge(object, now),
    ...containerCells(valueAt(object, "spec", "template")),
    labelSelectorText(valueAt(object, "spec", "selector")),
  ],
);

const controllerRevision = printer("Controller|Revision|Age", (object, now) => [
  controllerText(object),
  numberAt(object, "revision"),
  creationAge(object, now),
]);

const podTemplate = printer("Containers|Images|Pod Labels", (object) => [
  ...containerCells(valueAt(object, "template")),
  labelText(mapAt(object, "template", "metadata", "labels")),
]);

/** Workloads, by group and kind. */
export const appsPrinters: Readonly<Record<string, Printer>> = {
  "apps/Deployment": deployment,
  "apps/ReplicaSet": replicaSet,
  "apps/StatefulSet": statefulSet,
  "apps/DaemonSet": daemonSet,
  "apps/ControllerRevision": controllerRevision,
  "/ReplicationController": replicationController,
  "/PodTemplate": podTemplate,
};

/** Names and images of the containers of a pod template. */
export function containerCells(template: unknown): [names: string, images: string] {
  const containers = listAt(template, "spec", "containers");
  const column = (field: string): string => containers.map((container) => textAt(container, field)).join(",");
  return [column("name"), column("image")];
}

function replicaCells(object: Fields): Cell[] {
  return [
    numberAt(object, "spec", "replicas"),
    numberAt(object, "status", "replicas"),
    numberAt(object, "status", "readyReplicas"),
  ];
}

function controllerText(object: Fields): string {
  const owner = listAt(object, "metadata", "ownerReferences").find((reference) => reference["controller"] === true);
  if (!owner) return "<none>";
  const apiVersion = textAt(owner, "apiVersion");
  const group = apiVersion.includes("/") ? `.${apiVersion.slice(0, apiVersion.indexOf("/"))}` : "";
  return `${textAt(owner, "kind").toLowerCase()}${group}/${textAt(owner, "name")}`;
}
