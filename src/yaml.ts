/**
 * YAML as Kubernetes reads and writes it, for manifests and for the configuration of what an operator runs.
 *
 * @module tsop/yaml
 */
export { emitYaml } from "./apimachinery/yaml/emit.ts";
export { parseYamlDocuments, YamlError } from "./apimachinery/yaml/parse.ts";
