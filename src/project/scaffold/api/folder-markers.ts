import type { Disk } from "../../../files/disk.ts";
import type { Project, Resource } from "../../project.ts";
import type { Draft } from "../draft/draft.ts";
import { apiContext } from "./api-context.ts";

/** Markers of a version's folder that the other versions of a kind need as well. */
const carried = /^[ \t]*(?:\/\/|\*)?[ \t]*(\+tsop:(?:maxDescLen=\d+|embeddedObjectMeta(?:=(?:true|false))?))[ \t]*$/gm;

/** Returns the markers in the folder of an earlier version that its next version keeps. */
export async function markersToCarry(
  draft: Draft,
  disk: Pick<Disk, "list">,
  {
    root,
    project,
    earlier,
  }: { readonly root: string; readonly project: Project; readonly earlier: Resource | undefined },
): Promise<string[]> {
  if (!earlier) return [];
  const folder = `api/${apiContext(project, earlier).apiFolder}`;
  const names = (await disk.list(`${root}/${folder}`)).filter((name) => name.endsWith(".ts"));
  const texts = await Promise.all(names.map((name) => draft.read(`${folder}/${name}`)));
  return [...new Set(texts.flatMap((text = "") => [...text.matchAll(carried)].map(([, marker]) => marker!)))];
}

/** Adds markers of a folder below the one of its group. */
export function withMarkers(text: string, markers: readonly string[]): string {
  const lines = markers.map((marker) => `\n// ${marker}`).join("");
  return text.replace(/^\/\/ \+groupName=.*$/m, (line) => line + lines);
}
