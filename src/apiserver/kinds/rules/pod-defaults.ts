import { type Fields, child, childIf, fill, items, textOf } from "../../../apimachinery/fields.ts";

/** Sets the defaults of a pod's spec, alone or in a template. */
export function defaultPodSpec(spec: Fields): void {
  fill(spec, {
    restartPolicy: "Always",
    dnsPolicy: "ClusterFirst",
    schedulerName: "default-scheduler",
    securityContext: {},
    terminationGracePeriodSeconds: 30,
  });
  if (spec["serviceAccountName"] ?? spec["serviceAccount"]) {
    spec["serviceAccountName"] ??= spec["serviceAccount"];
    spec["serviceAccount"] ??= spec["serviceAccountName"];
  }
  for (const list of ["initContainers", "containers", "ephemeralContainers"])
    for (const container of items(spec, list)) defaultContainer(container);
  for (const volume of items(spec, "volumes")) defaultVolume(volume);
}

function defaultContainer(container: Fields): void {
  fill(container, {
    resources: {},
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    imagePullPolicy: pullPolicy(container["image"]),
  });
  for (const port of items(container, "ports")) fill(port, { protocol: "TCP" });
  for (const name of ["livenessProbe", "readinessProbe", "startupProbe"]) defaultProbe(childIf(container, name));
  const lifecycle = childIf(container, "lifecycle");
  for (const hook of ["postStart", "preStop"]) defaultHttpGet(childIf(childIf(lifecycle, hook), "httpGet"));
  for (const variable of items(container, "env")) {
    const source = childIf(variable, "valueFrom");
    const fieldRef = childIf(source, "fieldRef");
    if (fieldRef) fill(fieldRef, { apiVersion: "v1" });
    const resource = childIf(source, "resourceFieldRef");
    if (resource) fill(resource, { divisor: "0" });
  }
}

/** Returns the pull policy of an image: `:latest`, explicit or implied, is always pulled. */
function pullPolicy(reference: unknown): string {
  const image = textOf(reference);
  // A text that is no reference has no tag.
  if (!/^\S+$/.test(image)) return "IfNotPresent";
  const [name = ""] = image.split("@");
  const tag = /:([\w.-]+)$/.exec(name)?.[1];
  if (image.includes("@") && tag === undefined) return "IfNotPresent";
  return tag === undefined || tag === "latest" ? "Always" : "IfNotPresent";
}

function defaultProbe(probe: Fields | undefined): void {
  if (!probe) return;
  fill(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
  defaultHttpGet(childIf(probe, "httpGet"));
  const grpc = childIf(probe, "grpc");
  if (grpc) fill(grpc, { service: "" });
}

function defaultHttpGet(action: Fields | undefined): void {
  if (!action) return;
  fill(action, { path: "/", scheme: "HTTP" });
}

/** Volume sources whose files have a mode. */
const withMode = ["secret", "configMap", "downwardAPI", "projected"];

function defaultVolume(volume: Fields): void {
  if (Object.keys(volume).every((key) => key === "name")) volume["emptyDir"] = {};
  for (const source of withMode) {
    const fields = childIf(volume, source);
    if (fields) fill(fields, { defaultMode: 0o644 });
  }
  for (const source of items(childIf(volume, "projected"), "sources")) {
    const token = childIf(source, "serviceAccountToken");
    if (token) fill(token, { expirationSeconds: 3600 });
    defaultFieldRefs(items(childIf(source, "downwardAPI"), "items"));
  }
  defaultFieldRefs(items(childIf(volume, "downwardAPI"), "items"));
  const hostPath = childIf(volume, "hostPath");
  if (hostPath) fill(hostPath, { type: "" });
  const image = childIf(volume, "image");
  if (image) fill(image, { pullPolicy: pullPolicy(image["reference"]) });
  const claim = childIf(childIf(volume, "ephemeral"), "volumeClaimTemplate");
  if (claim) fill(child(claim, "spec"), { volumeMode: "Filesystem" });
}

function defaultFieldRefs(files: Fields[]): void {
  for (const file of files) {
    const fieldRef = childIf(file, "fieldRef");
    if (fieldRef) fill(fieldRef, { apiVersion: "v1" });
    const resource = childIf(file, "resourceFieldRef");
    if (resource) fill(resource, { divisor: "0" });
  }
}

/** Sets the defaults of a template, creating it if it is missing: validation reports its missing fields. */
export function defaultTemplate(spec: Fields): void {
  const template = child(spec, "template");
  child(template, "metadata");
  defaultPodSpec(child(template, "spec"));
}

/**
 * Gives an object without labels those of its template: not only a new one, but also one that loses its last label, as a
 * real server sets defaults whenever it reads an object.
 */
export function labelLikePods(object: Fields): void {
  const labels = childIf(childIf(childIf(childIf(object, "spec"), "template"), "metadata"), "labels");
  const own = child(object, "metadata");
  if (labels && Object.keys(childIf(own, "labels") ?? {}).length === 0) own["labels"] = { ...labels };
}
