import { childIf, items, textOf, type Fields } from "../../../apimachinery/fields.ts";

/** The levels of the Pod Security Standards, the strictest last. */
export const levels = ["privileged", "baseline", "restricted"] as const;
export type Level = (typeof levels)[number];

interface Violation {
  /** What the level forbids: `hostPort`. */
  readonly reason: string;
  /** Where the pod has it: `container "c" must not use hostPort "80"`. */
  readonly detail: string;
}

/** Returns how a pod violates a level. */
export function findViolations(spec: Fields, level: Level): Violation[] {
  if (level === "privileged") return [];
  const checks = [...always, ...(level === "restricted" ? restricted : baseline)];
  return checks.flatMap(([reason, check]) => {
    const details = check(spec);
    return details.length > 0 ? [{ reason, detail: details.join("; ") }] : [];
  });
}

/** Returns where the spec of a pod breaks a rule. */
type Check = (spec: Fields) => string[];
type Rule = readonly [reason: string, check: Check];

/** Returns the wrong values of a pod's spec or of a container. */
type Find = (part: Fields) => readonly string[];

const contextOf = (part: Fields): Fields => childIf(part, "securityContext") ?? {};
const containersOf = (spec: Fields): Fields[] =>
  ["initContainers", "containers", "ephemeralContainers"].flatMap((list) => items(spec, list));

function quoteAll(texts: readonly string[]): string {
  return texts.map((text) => `"${text}"`).join(", ");
}

function containersText(containers: readonly Fields[]): string {
  return `container${containers.length === 1 ? "" : "s"} ${quoteAll(containers.map(({ name }) => textOf(name)))}`;
}

/** Forbids values in containers; `{}` in a text stands for them. */
function ofContainers(find: Find, must: string): Check {
  return (spec) => findingOf([], containersOf(spec), { find, must });
}

/** Forbids values in containers and in the pod itself. */
function anywhere(find: Find, must: string): Check {
  return (spec) => findingOf([spec], containersOf(spec), { find, must });
}

function findingOf(
  pods: readonly Fields[],
  containers: readonly Fields[],
  { find, must }: { readonly find: Find; readonly must: string },
): string[] {
  const [pod, wrong] = [pods, containers].map((parts) => parts.filter((part) => find(part).length > 0));
  if (pod!.length + wrong!.length === 0) return [];
  const who = [...(pod!.length > 0 ? ["pod"] : []), ...(wrong!.length > 0 ? [containersText(wrong!)] : [])];
  const values = [...new Set([...pod!, ...wrong!].flatMap(find))].toSorted();
  return [`${who.join(" and ")} ${must.replace("{}", () => quoteAll(values))}`];
}

/** Requires a value of the pod itself, or of each container. */
function requiring(valueOf: (part: Fields) => unknown, must: string): Check {
  return (spec) => {
    const silent = containersOf(spec).filter((container) => valueOf(container) === undefined);
    const isSet = valueOf(spec) !== undefined || silent.length === 0;
    return isSet ? [] : [`pod or ${containersText(silent)} ${must}`];
  };
}

const all =
  (...checks: readonly Check[]): Check =>
  (spec) =>
    checks.flatMap((check) => check(spec));

/** Checks a pod unless it has users of its own, not the node's. */
const unlessOwnUsers =
  (...checks: readonly Check[]): Check =>
  (spec) =>
    spec["hostUsers"] === false ? [] : all(...checks)(spec);

/** Finds a field of the security context with this value. */
const withValue =
  (name: string, value: unknown): Find =>
  (part) =>
    contextOf(part)[name] === value ? [name] : [];

const typeOf = (part: Fields, profile: string): string | undefined => {
  const found = childIf(contextOf(part), profile);
  return found && textOf(found["type"]);
};
const wrongProfile =
  (profile: string): Find =>
  (part) => {
    const type = typeOf(part, profile) ?? "RuntimeDefault";
    return type === "RuntimeDefault" || type === "Localhost" ? [] : [type];
  };

function hostsOf(container: Fields): string[] {
  const lifecycle = childIf(container, "lifecycle");
  const probes = ["livenessProbe", "readinessProbe", "startupProbe"].map((name) => childIf(container, name));
  return [...probes, ...["postStart", "preStop"].map((name) => childIf(lifecycle, name))]
    .flatMap((handler) => ["httpGet", "tcpSocket"].map((action) => textOf(childIf(handler, action)?.["host"])))
    .filter((host) => host !== "");
}

const seLinuxTypes = ["", "container_t", "container_init_t", "container_kvm_t", "container_engine_t"];

function wrongLabels(part: Fields): string[] {
  const { type, user, role } = childIf(contextOf(part), "seLinuxOptions") ?? {};
  return [...(seLinuxTypes.includes(textOf(type)) ? [] : [textOf(type)]), ...[user, role].map(textOf).filter(Boolean)];
}

const sysctls = new Set([
  "kernel.shm_rmid_forced",
  ...["ip_local_port_range", "ip_local_reserved_ports", "ip_unprivileged_port_start", "ping_group_range"].map(
    (name) => `net.ipv4.${name}`,
  ),
  ...["syncookies", "keepalive_time", "fin_timeout", "keepalive_intvl", "keepalive_probes", "rmem", "wmem"].map(
    (name) => `net.ipv4.tcp_${name}`,
  ),
]);

/** The rules that both levels have, in the order of their findings. */
const always: readonly Rule[] = [
  ["forbidden AppArmor profile", anywhere(wrongProfile("appArmorProfile"), "must not set AppArmor profile type to {}")],
  [
    "host namespaces",
    (spec) => {
      const used = ["hostNetwork", "hostPID", "hostIPC"].filter((name) => spec[name] === true);
      return used.length > 0 ? [used.map((name) => `${name}=true`).join(", ")] : [];
    },
  ],
  [
    "hostPort",
    ofContainers(
      (container) =>
        items(container, "ports").flatMap(({ hostPort }) => (hostPort ? [String(hostPort as number)] : [])),
      "must not use hostPort {}",
    ),
  ],
  ["probe or lifecycle host", ofContainers(hostsOf, "must not connect to the host {}")],
  ["privileged", ofContainers(withValue("privileged", true), "must not set securityContext.privileged=true")],
  ["seLinuxOptions", anywhere(wrongLabels, "must not set securityContext.seLinuxOptions to {}")],
  [
    "forbidden sysctls",
    (spec) => {
      const names = items(contextOf(spec), "sysctls").map(({ name }) => textOf(name));
      const wrong = names.filter((name) => !sysctls.has(name));
      return wrong.length > 0 ? [wrong.join(", ")] : [];
    },
  ],
];

/** The capabilities that container runtimes give by default. */
const usualCapabilities =
  "AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT".split(
    " ",
  );

function capabilities(container: Fields, list: "add" | "drop"): readonly string[] {
  return (childIf(contextOf(container), "capabilities")?.[list] ?? []) as readonly string[];
}

const addingOnly = (allowed: readonly string[]): Check =>
  ofContainers(
    (container) => capabilities(container, "add").filter((name) => !allowed.includes(name)),
    "must not include {} in securityContext.capabilities.add",
  );

const maskedProc = ofContainers((container) => {
  const mount = textOf(contextOf(container)["procMount"]) || "Default";
  return mount === "Default" ? [] : [mount];
}, "must not set securityContext.procMount to {}");

const seccomp = anywhere(wrongProfile("seccompProfile"), "must not set securityContext.seccompProfile.type to {}");

const volumesWhere =
  (isWrong: (volume: Fields) => boolean): Check =>
  (spec) => {
    const names = items(spec, "volumes").flatMap((volume) => (isWrong(volume) ? [textOf(volume["name"])] : []));
    return names.length > 0 ? [`volume${names.length === 1 ? "" : "s"} ${quoteAll(names)}`] : [];
  };

/** The rules for which the level restricted has stricter ones. */
const baseline: readonly Rule[] = [
  ["non-default capabilities", addingOnly(usualCapabilities)],
  ["hostPath volumes", volumesWhere(({ hostPath }) => Boolean(hostPath))],
  ["procMount", unlessOwnUsers(maskedProc)],
  ["seccompProfile", seccomp],
];

/** The volumes of the pod, of the cluster's objects, and of claims. */
const restrictedSources =
  "configMap csi downwardAPI emptyDir ephemeral image persistentVolumeClaim projected secret".split(" ");

const restricted: readonly Rule[] = [
  [
    "allowPrivilegeEscalation != false",
    ofContainers(
      (container) => (contextOf(container)["allowPrivilegeEscalation"] === false ? [] : ["true"]),
      "must set securityContext.allowPrivilegeEscalation=false",
    ),
  ],
  [
    "unrestricted capabilities",
    all(
      ofContainers(
        (container) => (capabilities(container, "drop").includes("ALL") ? [] : ["ALL"]),
        'must set securityContext.capabilities.drop=["ALL"]',
      ),
      addingOnly(["NET_BIND_SERVICE"]),
    ),
  ],
  ["procMount", maskedProc],
  ["restricted volume types", volumesWhere((volume) => !restrictedSources.some((source) => volume[source]))],
  [
    "runAsNonRoot != true",
    unlessOwnUsers(
      anywhere(withValue("runAsNonRoot", false), "must not set securityContext.runAsNonRoot=false"),
      requiring((part) => contextOf(part)["runAsNonRoot"], "must set securityContext.runAsNonRoot=true"),
    ),
  ],
  ["runAsUser=0", unlessOwnUsers(anywhere(withValue("runAsUser", 0), "must not set runAsUser=0"))],
  [
    "seccompProfile",
    all(
      seccomp,
      requiring(
        (part) => typeOf(part, "seccompProfile"),
        'must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"',
      ),
    ),
  ],
];
