import { csvApiVersion, csvKind, type ClusterServiceVersion } from "./csv.ts";
import { displayName } from "./display-name.ts";

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
