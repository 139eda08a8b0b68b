import { csvApiVersion, csvKind, type ClusterServiceVersion } from "./csv.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { Disk } from "../../files/disk.ts";
import { parseObjects } from "../parse-objects.ts";
import { readShape } from "../../apimachinery/read-shape.ts";
import { csvShape } from "./csv-shape.ts";

/** Returns the initial CSV of a package, to be completed by hand. It has no icon: OperatorHub rejects an empty one. */
export function defaultCsv(packageName: string): ClusterServiceVersion {
  const title = displayName(packageName);
  return {
    apiVersion: csvApiVersion,
    kind: csvKind,
    metadata: {
      name: `${packageName}.v0.0.0`,
      namespace: "placeholder",
      annotations: { "alm-examples": "[]", capabilities: "Basic Install" },
    },
    spec: {
      displayName: title,
      description: `${title} description. TODO.`,
      maturity: "alpha",
      version: "0.0.0",
      keywords: [packageName],
      links: [{ name: title, url: `https://${packageName}.domain` }],
      maintainers: [{ name: "Maintainer Name", email: "your@email.com" }],
      provider: { name: "Provider Name", url: "https://your.domain" },
      installModes: [
        { type: "OwnNamespace", supported: false },
        { type: "SingleNamespace", supported: false },
        { type: "MultiNamespace", supported: false },
        { type: "AllNamespaces", supported: true },
      ],
      install: { strategy: "", spec: { deployments: null } },
    },
  };
}

/** Derives a display name: `memcached-operator` → `Memcached Operator`. */
export function displayName(name: string): string {
  const words = name.split(/[.\-_ ]+/).filter(Boolean);
  return words.map((word) => raiseFirst(spaceBeforeCapitals(word))).join(" ");
}

/** Separates words at capitals; runs of capitals stay together: `APIServer` is one word, as its author wrote it. */
function spaceBeforeCapitals(word: string): string {
  return word.replace(/(?<=\P{Lu})\p{Lu}/gu, " $&");
}

function raiseFirst(word: string): string {
  return word.replace(/^./u, (first) => first.toUpperCase());
}

/** Reads the base of the CSV, if there is one. A file with anything else, or with two bases, is an error. */
export async function readBase(file: string, disk: Pick<Disk, "read">): Promise<ClusterServiceVersion | undefined> {
  const text = await disk.read(file);
  if (text === undefined) return undefined;
  const [csv, ...others] = parseObjects(text, file).filter(({ kind }) => kind === csvKind);
  if (!csv) throw new TsopError("TSOP_BASE_WITHOUT_CSV", { file });
  if (others.length > 0) throw new TsopError("TSOP_BASE_TWICE", { file, count: others.length + 1 });
  return readShape(csv, csvShape, file, true) as ClusterServiceVersion;
}
