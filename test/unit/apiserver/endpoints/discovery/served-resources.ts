import type { ServedResource, ServedSubresource } from "../../../../../src/apiserver/registry/served-resource.ts";

interface ApiResource {
  name: string;
  singularName: string;
  namespaced: boolean;
  group?: string;
  version?: string;
  kind: string;
  verbs: string[];
  shortNames?: string[];
  categories?: string[];
}

interface RecordedList {
  groupVersion: string;
  resources: ApiResource[];
}

/** The rows that a real server's APIResourceLists describe. */
export function servedResources(lists: readonly RecordedList[]): ServedResource[] {
  return lists.flatMap((list) => {
    const [version = "", group = ""] = list.groupVersion.split("/").reverse();
    const subresources = list.resources.filter((row) => row.name.includes("/"));
    return list.resources
      .filter((row) => !row.name.includes("/"))
      .map((row) => ({
        group,
        version,
        kind: row.kind,
        listKind: `${row.kind}List`,
        plural: row.name,
        singular: row.singularName,
        shortNames: row.shortNames ?? [],
        categories: row.categories ?? [],
        namespaced: row.namespaced,
        verbs: row.verbs,
        subresources: subresources.filter((sub) => sub.name.startsWith(`${row.name}/`)).map(subresource),
        schema: () => undefined,
        ...(group === "example.com" ? { custom: customVersion } : {}),
      }));
  });
}

const customVersion = {
  storageVersion: "v1",
  versions: [],
  columns: [],
  selectableFields: [],
  hasStatus: false,
};

function subresource(row: ApiResource): ServedSubresource {
  const { name, kind, verbs, group, version } = row;
  return {
    name: name.slice(name.indexOf("/") + 1),
    kind,
    verbs,
    ...(group === undefined ? {} : { group }),
    ...(version === undefined ? {} : { version }),
  };
}
