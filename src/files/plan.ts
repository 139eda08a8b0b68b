/** All changes of a command, complete before the first write. Paths are relative to the plan's root. */
export interface Plan {
  readonly root: string;
  readonly changes: readonly FileChange[];
  /** Folders outside of the root that the user has named, relative to it: the plan may change files in them, too. */
  readonly outside?: readonly string[];
}

/**
 * A change of one file. `create` conflicts with an existing file of other content unless forced; `update`, `remove` and
 * `move` conflict if the file is no longer what the planner read (`before`).
 */
export type FileChange =
  | {
      readonly type: "create";
      readonly path: string;
      readonly text: string;
      /** Written instead of the text, for a binary file. */
      readonly bytes?: Uint8Array;
      readonly executable?: boolean;
      readonly ifExists?: "fail" | "keep" | "overwrite";
    }
  | { readonly type: "update"; readonly path: string; readonly text: string; readonly before: string }
  | { readonly type: "remove"; readonly path: string; readonly before: string };

/** The result of `applyPlan`, in path order. */
export interface Applied {
  readonly created: readonly string[];
  readonly updated: readonly string[];
  readonly removed: readonly string[];
}
