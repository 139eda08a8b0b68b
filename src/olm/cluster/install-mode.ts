import { TsopError, UsageError } from "../../errors/tsop-error.ts";
import { checkDns1123Label } from "../../apimachinery/names.ts";
import type { CsvObject } from "../../manifests/olm-kinds.ts";

const modes = ["AllNamespaces", "OwnNamespace", "SingleNamespace", "MultiNamespace"] as const;

/** An install mode of the command line, with the namespaces that it names. */
export interface InstallMode {
  readonly type: (typeof modes)[number];
  readonly namespaces: readonly string[];
}

/** Parses `AllNamespaces`, `SingleNamespace=a` or `MultiNamespace=a,b`. */
export function parseInstallMode(text: string): InstallMode {
  const [name = "", list = ""] = text.split("=", 2);
  const type = modes.find((mode) => mode === name);
  if (!type) throw new UsageError(`--install-mode: ${name} is none of ${modes.join(", ")}`);
  const namespaces = list.split(",").filter(Boolean).toSorted();
  const wanted = {
    AllNamespaces: [0, 0],
    OwnNamespace: [0, 0],
    SingleNamespace: [1, 1],
    MultiNamespace: [1, Infinity],
  };
  const [least = 0, most = 0] = wanted[type];
  if (namespaces.length < least || namespaces.length > most) {
    const form = most === 0 ? type : most === 1 ? `${type}=NAMESPACE` : `${type}=NAMESPACE,NAMESPACE`;
    throw new UsageError(`--install-mode: write ${form}`);
  }
  for (const namespace of namespaces) {
    const complaint = checkDns1123Label(namespace);
    if (complaint !== undefined) throw new UsageError(`--install-mode: ${JSON.stringify(namespace)}: ${complaint}`);
  }
  return { type, namespaces };
}

/**
 * Returns the namespaces that the operator watches; an empty list means all. Without a mode, the first that the CSV
 * supports is chosen and that needs no further namespace.
 */
export function targetNamespaces(csv: CsvObject, own: string, mode: InstallMode | undefined): string[] {
  const supported = (csv.spec.installModes ?? []).filter((each) => each.supported).map(({ type }) => type);
  const name = csv.metadata.name ?? "";
  const list = supported.join(", ") || "none";
  if (mode) {
    if (!supported.includes(mode.type))
      throw new TsopError("TSOP_INSTALL_MODE", { csv: name, mode: mode.type, supported: list });
    if (mode.type === "SingleNamespace" && mode.namespaces[0] === own)
      throw new UsageError("--install-mode: the namespace is the operator's own; write OwnNamespace");
    return mode.type === "OwnNamespace" ? [own] : [...mode.namespaces];
  }
  if (supported.includes("AllNamespaces")) return [];
  if (supported.includes("OwnNamespace")) return [own];
  throw new TsopError("TSOP_INSTALL_MODE", { csv: name, mode: "AllNamespaces or OwnNamespace", supported: list });
}
