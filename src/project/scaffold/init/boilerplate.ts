import { TsopError } from "../../../errors/tsop-error.ts";
import type { Disk } from "../../../files/disk.ts";
import { checkCommentText } from "../../value-rules.ts";
import type { initFlags } from "./init-flags.ts";
import { checkOption } from "../api/resource-options.ts";
import type { FlagValues } from "../scaffold-flag.ts";
import { renderTemplates } from "../templates/render-templates.ts";

/** Options for the comment above the code of new files. A licence file has the whole comment. */
export interface LicenseOptions extends Pick<FlagValues<typeof initFlags>, "license" | "licenseFile" | "owner"> {
  readonly year: number;
}

/** Returns the text of hack/boilerplate.ts.txt; `undefined` if the project has none. */
export async function boilerplate(
  options: LicenseOptions,
  disk: Pick<Disk, "list" | "read">,
): Promise<string | undefined> {
  if (options.licenseFile !== undefined) return readComment(options.licenseFile, disk);
  if (options.license === "none") return undefined;
  const { year, owner = "" } = options;
  checkOption("--owner", owner, checkCommentText);
  const [rendered] = await renderTemplates(disk, "init-license", [], { year, owner });
  return rendered!.text;
}

async function readComment(path: string, disk: Pick<Disk, "read">): Promise<string> {
  const text = await disk.read(path);
  if (text === undefined) throw new TsopError("TSOP_LICENSE_FILE", { path, reason: "the file does not exist" });
  const comment = text.trim();
  if (comment !== "" && !(comment.startsWith("/*") && comment.indexOf("*/", 2) === comment.length - 2)) {
    throw new TsopError("TSOP_LICENSE_FILE", { path, reason: "it is not one comment: /* … */" });
  }
  return text;
}
