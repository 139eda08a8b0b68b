import { parseYamlDocuments, YamlError } from "../../apimachinery/yaml/parse.ts";
import { TsopError } from "../../errors/tsop-error.ts";

/** Parses all documents of a YAML text. `file` is for the error, which names the place. */
export function parseDocuments(text: string, file: string): unknown[] {
  try {
    return parseYamlDocuments(text);
  } catch (cause) {
    if (!(cause instanceof YamlError)) throw cause;
    const { reason, line, column } = cause;
    throw new TsopError("TSOP_YAML_INVALID", { file, line, column, reason }, { cause });
  }
}
