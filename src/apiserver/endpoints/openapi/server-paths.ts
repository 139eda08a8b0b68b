import type { ServedResource } from "../../registry/served-resource.ts";
import { builtinTypes, groupWords, joinWords, readOperation, referenceTo, tagOf, type PathItem } from "./operation.ts";

/** How a client authenticates itself. */
export const securityDefinitions = {
  BearerToken: { type: "apiKey", description: "Bearer Token authentication", name: "authorization", in: "header" },
} as const;

/** Returns the paths of the documents about the server itself and its built-in groups. */
export function serverDocuments(resources: readonly ServedResource[]): string[] {
  const groups = new Set(resources.filter(({ custom, group }) => !custom && group !== "").map(({ group }) => group));
  return [...Object.keys(ownDocuments), ...[...groups].map((group) => `apis/${group}`)];
}

/** Returns the operation at the root of a document, which reads the list of its group or version. */
export function serverPaths(path: string): Record<string, PathItem> {
  const [root, second = "", third] = path.split("/");
  const own = ownDocuments[path];
  if (own) return { [`/${path}/`]: own };
  if (root === "apis" && third === undefined) return { [`/${path}/`]: groupItem(second) };
  return { [`/${path}/`]: root === "api" ? versionItem("", second) : versionItem(second, third ?? "") };
}

function groupItem(group: string): PathItem {
  const texts = ["get information of a group", `get${joinWords([...groupWords(group)])}APIGroup`] as const;
  return readOperation(tagOf(group), texts, [builtinTypes, referenceTo("APIGroup")]);
}

function versionItem(group: string, version: string): PathItem {
  const texts = ["get available resources", `get${joinWords([...groupWords(group), version])}APIResources`] as const;
  return readOperation(tagOf(group, version), texts, [builtinTypes, referenceTo("APIResourceList")]);
}

const versions = "get available API versions";

const ownDocuments: Readonly<Record<string, PathItem>> = {
  ".well-known/openid-configuration": readOperation(
    "WellKnown",
    [
      "get service account issuer OpenID configuration, also known as the 'OIDC discovery doc'",
      "getServiceAccountIssuerOpenIDConfiguration",
    ],
    [["application/json"], { type: "string" }],
  ),
  api: readOperation("core", [versions, "getCoreAPIVersions"], [builtinTypes, referenceTo("APIVersions")]),
  apis: readOperation("apis", [versions, "getAPIVersions"], [builtinTypes, referenceTo("APIGroupList")]),
  "openid/v1/jwks": readOperation(
    "openid",
    [
      "get service account issuer OpenID JSON Web Key Set (contains public token verification keys)",
      "getServiceAccountIssuerOpenIDKeyset",
    ],
    [["application/jwk-set+json"], { type: "string" }],
  ),
  version: readOperation(
    "version",
    ["get the version information for this server", "getCodeVersion"],
    [["application/json"], referenceTo("io.k8s.apimachinery.pkg.version.Info")],
  ),
};
