import type { YamlDocument } from "./yaml-document.ts";

/** What reads YAML. */
export interface YamlReader {
  readonly parseYaml: (text: string) => YamlDocument;
  readonly findYamlDuplicate: (text: string) => string | undefined;
}

let loaded: YamlReader | undefined;

/** To be awaited before a body that is called YAML is read: most bodies are JSON, and the parser is a tenth of a start. */
export async function loadYamlReader(contentType: string | undefined): Promise<void> {
  if (!loaded && contentType?.includes("yaml")) loaded = await import("./parse-yaml.ts");
}

/** The reader, once it is loaded. */
export function yamlReader(): YamlReader {
  if (!loaded) throw new Error("YAML is read before its reader is loaded");
  return loaded;
}
