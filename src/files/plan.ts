/** What a command wants of the disk, complete before the first write. Paths are relative to the plan's root. */
export interface Plan {
  readonly root: string;
  readonly changes: readonly FileChange[];
}

/**
 * One file's fate. `create` conflicts with an existing file of other content (unless forced); `update` replaces what
 * the planner has read (`before`), and conflicts when the file is another one by now; `remove` and `move` likewise.
 */
export type FileChange =
  | {
      readonly type: "create";
      readonly path: string;
      readonly text: string;
      readonly executable?: boolean;
      readonly ifExists?: "fail" | "keep" | "overwrite";
    }
  | { readonly type: "update"; readonly path: string; readonly text: string; readonly before: string }
  | { readonly type: "remove"; readonly path: string; readonly before: string };

/** What `applyPlan` did, in path order. */
export interface Applied {
  readonly created: readonly string[];
  readonly updated: readonly string[];
  readonly removed: readonly string[];
  /** Files that were there already with these bytes, or that `keep` left alone. */
  readonly unchanged: readonly string[];
}
