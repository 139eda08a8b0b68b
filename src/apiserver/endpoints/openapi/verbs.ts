/** An operation on a resource, as its documents describe it. */
export interface Verb {
  /** The verb of RBAC that allows it. */
  readonly name: string;
  readonly method: "get" | "put" | "post" | "delete" | "patch";
  /** `x-kubernetes-action`. */
  readonly action: string;
  /** The start of operationId. */
  readonly prefix: string;
  readonly parameters: readonly string[];
  readonly codes: readonly number[];
  readonly takes?: "object" | "options" | "patch";
}

const writeOptions = "dryRun fieldManager fieldValidation";
const selectOptions =
  "continue fieldSelector labelSelector limit resourceVersion resourceVersionMatch sendInitialEvents shardSelector timeoutSeconds";
const listOptions = `allowWatchBookmarks ${selectOptions} watch`;
const deleteOptions =
  "dryRun gracePeriodSeconds ignoreStoreReadErrorWithClusterBreakingPotential orphanDependents propagationPolicy";

const list = verb("list get list list", listOptions);
const create = verb("create post post create", writeOptions, "object", [200, 201, 202]);
const update = verb("update put put replace", writeOptions, "object", [200, 201]);
const remove = verb("delete delete delete delete", deleteOptions, "options", [200, 202]);
const collection = "deletecollection delete deletecollection delete";
const patch = "patch patch patch patch";
const patchOptions = `${writeOptions} force`;

/** Verbs of a collection and of an object. */
export interface VerbTable {
  readonly collection: readonly Verb[];
  readonly item: readonly Verb[];
}

// The two documents of a real server come from different generators, which describe three operations differently.
export const builtinVerbs: VerbTable = {
  collection: [list, create, verb(collection, `${selectOptions} ${deleteOptions}`, "options")],
  item: [verb("get get get read", ""), update, verb(patch, patchOptions, "patch", [200, 201]), remove, create],
};
export const customVerbs: VerbTable = {
  collection: [list, create, verb(collection, listOptions)],
  item: [verb("get get get read", "resourceVersion"), update, verb(patch, patchOptions, "patch"), remove, create],
};
/** Operations of the deprecated paths below `watch/`, whose options are parameters of the path. */
export const watchVerbs: { readonly collection: Verb; readonly item: Verb } = {
  collection: verb("watch get watchlist watch", listOptions),
  item: verb("watch get watch watch", listOptions),
};

/** Creates a verb from its name, method, action and prefix in one text. */
function verb(words: string, parameters: string, takes?: Verb["takes"], codes: readonly number[] = [200]): Verb {
  const [name = "", method = "get", action = "", prefix = ""] = words.split(" ");
  return {
    name,
    method: method as Verb["method"],
    action,
    prefix,
    parameters: parameters.split(" ").filter((parameter) => parameter !== ""),
    codes,
    ...(takes ? { takes } : {}),
  };
}
