import { posix } from "node:path";
import { isObject } from "../../apimachinery/is-object.ts";
import { emitYaml } from "../../apimachinery/yaml/emit.ts";
import { parseYamlDocuments, YamlError } from "../../apimachinery/yaml/parse.ts";
import type { Disk } from "../../files/disk.ts";

/** An object of config/samples. */
export interface Sample {
  readonly apiVersion: unknown;
  readonly kind: unknown;
  /** Its YAML, with the author's comments if the file holds nothing else. */
  readonly text: string;
}

/** Reads the samples of a project, in the order of their files. Ignores files that are not YAML. */
export async function readSamples(root: string, disk: Pick<Disk, "list" | "read">): Promise<Sample[]> {
  const folder = posix.join(root, "config/samples");
  const names = (await disk.list(folder)).filter((name) => /\.ya?ml$/.test(name));
  const texts = await Promise.all(names.map((name) => disk.read(posix.join(folder, name))));
  return texts.flatMap((text = "") => {
    const objects = parse(text).filter(isObject);
    const [only] = objects.length === 1 ? objects : [];
    return objects.map((object) => ({
      apiVersion: object["apiVersion"],
      kind: object["kind"],
      text: only ? text.replace(/^---\n/, "") : emitYaml(object),
    }));
  });
}

function parse(text: string): unknown[] {
  try {
    return parseYamlDocuments(text);
  } catch (error) {
    if (error instanceof YamlError) return [];
    throw error;
  }
}
