import { TsopError, UsageError } from "../../errors/tsop-error.ts";
import { checkDns1123Label } from "../../apimachinery/names.ts";
import type { CsvObject } from "../../client/manifests/olm-kinds.ts";

const modes = ["AllNamespaces", "OwnNamespace", "SingleNamespace", "MultiNamespace"] as const;

type ModeName = (typeof modes)[number];

/** How many namespaces each mode names. */
const counts: Readonly<Record<ModeName, { readonly least: number; readonly most: number }>> = {
  AllNamespaces: { least: 0, most: 0 },
  OwnNamespace: { least: 0, most: 0 },
  SingleNamespace: { least: 1, most: 1 },
  MultiNamespace: { least: 1, most: Infinity },
};

/** An install mode of the command line, with the namespaces that it names. */
export interface InstallMode {
  readonly type: ModeName;
  readonly namespaces: readonly string[];
}

/** Parses `AllNamespaces`, `SingleNamespace=a` or `MultiNamespace=a,b`. */
export function parseInstallMode(text: string): InstallMode {
  const [name = "", list = ""] = text.split("=", 2);
  const type = modes.find((mode) => mode === name);
  if (!type) throw new UsageError(`--install-mode: ${name} is not one of ${modes.join(", ")}`);
  const namespaces = list.split(",").filter(Boolean).toSorted();
  const { least, most } = counts[type];
  if (namespaces.length < least || namespaces.length > most)
    throw new UsageError(`--install-mode: write ${formOf(type)}`);
  for (const namespace of namespaces) {
    const complaint = checkDns1123Label(namespace);
    if (complaint !== undefined) throw new UsageError(`--install-mode: ${JSON.stringify(namespace)}: ${complaint}`);
  }
  return { type, namespaces };
}

/** Returns how a mode is written. */
function formOf(mode: ModeName): string {
  const { most } = counts[mode];
  return most === 0 ? mode : most === 1 ? `${mode}=NAMESPACE` : `${mode}=NAMESPACE,NAMESPACE`;
}

/**
 * Returns the namespaces that the operator watches; an empty list means all. Without a mode, the first that the CSV
 * supports is chosen and that needs no further namespace.
 */
export function targetNamespaces(csv: CsvObject, own: string, mode: InstallMode | undefined): string[] {
  const supported = (csv.spec.installModes ?? []).filter((each) => each.supported).map(({ type }) => type);
  const unsupported = (wanted: string): TsopError => {
    const example = modes.find((each) => supported.includes(each));
    const advice = example ? `choose a supported mode: --install-mode ${formOf(example)}; or ` : "";
    return new TsopError("TSOP_INSTALL_MODE", {
      csv: csv.metadata.name ?? "",
      mode: wanted,
      supported: supported.join(", ") || "none",
      advice,
    });
  };
  if (mode) {
    if (!supported.includes(mode.type)) throw unsupported(mode.type);
    if (mode.type === "SingleNamespace" && mode.namespaces[0] === own)
      throw new UsageError("--install-mode: the namespace is the operator's own; write OwnNamespace");
    return mode.type === "OwnNamespace" ? [own] : [...mode.namespaces];
  }
  if (supported.includes("AllNamespaces")) return [];
  if (supported.includes("OwnNamespace")) return [own];
  throw unsupported("AllNamespaces or OwnNamespace");
}
