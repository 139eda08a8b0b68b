import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";

interface File {
  readonly path: string;
  /** The source of the file, for a volume with several sources. */
  readonly source: string;
}

/** The most files of a pod that are compared, as each is compared with all others of its volume. */
const mostCompared = 500;

/** Returns warnings about files of volumes of which one is in the place of another, or of its folder. */
export function pathWarnings(volumes: readonly Fields[]): string[] {
  let left = mostCompared;
  return volumes.flatMap((volume) => {
    const { kind, files } = filesOf(volume);
    const compared = files.slice(0, left);
    left -= compared.length;
    return overlaps(compared).map((text) => `volume "${textOf(volume["name"])}" (${kind}): overlapping paths: ${text}`);
  });
}

function overlaps(files: readonly File[]): string[] {
  const show = ({ path, source }: File): string => JSON.stringify(path) + source;
  return files.flatMap((file, index) =>
    files
      .slice(0, index)
      .filter((other) => isInside(file.path, other.path) || isInside(other.path, file.path))
      .map((other) => `${show(file)} with ${show(other)}`),
  );
}

function filesOf(volume: Fields): { kind: string; files: File[] } {
  const [configMap, secret] = [childIf(volume, "configMap"), childIf(volume, "secret")];
  if (configMap) return { kind: named("ConfigMap", configMap["name"]), files: pathsOf(configMap) };
  if (secret) return { kind: named("Secret", secret["secretName"]), files: pathsOf(secret) };
  const downward = childIf(volume, "downwardAPI");
  if (downward) return { kind: "DownwardAPI", files: pathsOf(downward) };
  const projected = childIf(volume, "projected");
  return { kind: "Projected", files: items(projected, "sources").flatMap(sourceFiles) };
}

function sourceFiles(source: Fields): File[] {
  const [configMap, secret] = [childIf(source, "configMap"), childIf(source, "secret")];
  if (configMap) return pathsOf(configMap, named("ConfigMap", configMap["name"]));
  if (secret) return pathsOf(secret, named("Secret", secret["name"]));
  const downward = childIf(source, "downwardAPI");
  if (downward) return pathsOf(downward, "DownwardAPI");
  const token = childIf(source, "serviceAccountToken");
  return token ? [{ path: textOf(token["path"]), source: " (ServiceAccountToken)" }] : [];
}

function pathsOf(content: Fields, source?: string): File[] {
  const suffix = source === undefined ? "" : ` (${source})`;
  return items(content, "items").map(({ path }) => ({ path: textOf(path), source: suffix }));
}

function named(kind: string, name: unknown): string {
  return `${kind} ${JSON.stringify(textOf(name))}`;
}

function isInside(path: string, folder: string): boolean {
  return `${path}/`.startsWith(`${folder}/`);
}
