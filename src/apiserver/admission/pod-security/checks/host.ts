import { type Fields, childIf, items, textOf } from "../../../../apimachinery/fields.ts";
import { contextOf, namesWhere, type PodCheck } from "./pod-check.ts";
import { containersText, countWord, quoteAll, settersText, sortedSet } from "./words.ts";

/** Forbids the namespaces of the node. */
export const hostNamespaces: PodCheck = ({ spec }) => {
  const used = ["hostNetwork", "hostPID", "hostIPC"].filter((name) => spec[name] === true);
  if (used.length === 0) return undefined;
  return { reason: "host namespaces", detail: used.map((name) => `${name}=true`).join(", ") };
};

/** Forbids ports of the node. */
export const hostPorts: PodCheck = (pod) => {
  const names = namesWhere(pod, (container) => hostPortsOf(container).length > 0);
  if (names.length === 0) return undefined;
  const ports = sortedSet(pod.containers.flatMap(hostPortsOf));
  const [use, noun] = [countWord(names.length, "uses", "use"), countWord(ports.length, "hostPort")];
  return { reason: "hostPort", detail: `${containersText(names)} ${use} ${noun} ${ports.join(", ")}` };
};

function hostPortsOf(container: Fields): string[] {
  return items(container, "ports")
    .map(({ hostPort = 0 }) => Number(hostPort))
    .filter((port) => port !== 0)
    .map(String);
}

/** Forbids probes and lifecycle handlers that connect to another host than the pod, since 1.34. */
export const hostProbes: PodCheck = (pod, version) => {
  if (version < 34) return undefined;
  const names = sortedSet(namesWhere(pod, (container) => hostsOf(container).length > 0));
  if (names.length === 0) return undefined;
  const reason = "probe or lifecycle host";
  const hosts = sortedSet(pod.containers.flatMap(hostsOf));
  const [use, noun] = [countWord(names.length, "uses", "use"), countWord(hosts.length, reason)];
  return { reason, detail: `${containersText(names)} ${use} ${noun} ${quoteAll(hosts)}` };
};

function hostsOf(container: Fields): string[] {
  const lifecycle = childIf(container, "lifecycle");
  const handlers = [
    ...["livenessProbe", "readinessProbe", "startupProbe"].map((name) => childIf(container, name)),
    ...["postStart", "preStop"].map((name) => childIf(lifecycle, name)),
  ];
  return handlers
    .flatMap((handler) => ["httpGet", "tcpSocket"].map((action) => textOf(childIf(handler, action)?.["host"])))
    .filter((host) => host !== "");
}

/** Forbids containers of Windows that run as processes of the node. */
export const hostProcess: PodCheck = (pod) => {
  const isSet = (specOrContainer: Fields): boolean =>
    childIf(contextOf(specOrContainer), "windowsOptions")?.["hostProcess"] === true;
  const setters = settersText(isSet(pod.spec), namesWhere(pod, isSet));
  if (setters === "") return undefined;
  return { reason: "hostProcess", detail: `${setters} must not set securityContext.windowsOptions.hostProcess=true` };
};
