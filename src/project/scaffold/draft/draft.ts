import { join } from "node:path";
import { keepLineEnds } from "../../../files/line-ends.ts";
import { TsopError } from "../../../errors/tsop-error.ts";
import type { Disk } from "../../../files/disk.ts";
import type { FileChange, Plan } from "../../../files/plan.ts";

type IfExists = "fail" | "keep" | "overwrite";

/** A plan under construction. Reads see earlier changes, so that several edits of one file add up. */
export class Draft {
  readonly root: string;
  private readonly disk: Pick<Disk, "read">;
  private readonly changes = new Map<string, FileChange>();

  constructor(root: string, disk: Pick<Disk, "read">) {
    this.root = root;
    this.disk = disk;
  }

  /** Returns the planned text; `undefined` if the file will not exist. */
  async read(path: string): Promise<string | undefined> {
    const change = this.changes.get(path);
    if (change) return change.type === "remove" ? undefined : change.text;
    return this.disk.read(join(this.root, path));
  }

  create(path: string, text: string, ifExists: IfExists = "fail"): void {
    this.changes.set(path, { type: "create", path, text, ifExists });
  }

  /** Changes a file, which must exist and keeps its line ends. */
  async change(path: string, edit: (text: string) => string): Promise<void> {
    const drafted = this.changes.get(path);
    if (drafted?.type === "create") {
      this.changes.set(path, { ...drafted, text: keepLineEnds(drafted.text, edit) });
      return;
    }
    const before = drafted?.type === "update" ? drafted.before : await this.disk.read(join(this.root, path));
    if (before === undefined) throw new TsopError("TSOP_FILE_MISSING", { path });
    const text = keepLineEnds(drafted?.type === "update" ? drafted.text : before, edit);
    if (text !== before) this.changes.set(path, { type: "update", path, text, before });
    else if (drafted?.type === "update") this.changes.delete(path);
  }

  /** Removes a file if it exists. */
  async remove(path: string): Promise<void> {
    const before = await this.disk.read(join(this.root, path));
    if (before !== undefined) this.changes.set(path, { type: "remove", path, before });
  }

  plan(): Plan {
    return { root: this.root, changes: [...this.changes.values()] };
  }
}
