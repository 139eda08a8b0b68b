import type { CsvObject } from "../../client/manifests/olm-kinds.ts";

/** Returns the reason why a CSV does not support the namespaces of its group. */
export function unsupportedMode(
  { spec }: CsvObject,
  namespace: string,
  targets: readonly string[],
): string | undefined {
  const isOwn = targets.includes(namespace);
  const wanted = [
    targets.includes("") && "AllNamespaces",
    targets.length > 1 && "MultiNamespace",
    isOwn && "OwnNamespace",
    targets.length === 1 && !targets.includes("") && !isOwn && "SingleNamespace",
  ];
  const isSupported = (mode: string): boolean =>
    spec.installModes?.some(({ type, supported }) => type === mode && supported) ?? false;
  const missing = wanted.find((mode) => mode !== false && !isSupported(mode));
  return missing ? `${missing} InstallModeType not supported` : undefined;
}
