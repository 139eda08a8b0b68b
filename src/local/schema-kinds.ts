import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { planFile } from "../codegen/external/plan-types.ts";
import { findSchemaKinds, typesFromSchema, type SchemaKind } from "../codegen/from-schema/schema-kinds.ts";
import type { Schema } from "../codegen/from-schema/schema-type.ts";
import { generate, type Generated, type GenerateOptions } from "../codegen/index.ts";
import { DiagnosticsError } from "../errors/diagnostic.ts";
import { messageOf } from "../errors/message-of.ts";
import { TsopError } from "../errors/tsop-error.ts";
import type { Disk } from "../files/disk.ts";
import { joinPlans, withPlan } from "../files/with-plan.ts";
import { loadEsbuild } from "./operator/build-operator.ts";
import { packageImports } from "./operator/package-imports.ts";

/** Generates as `generate` does, and before it the types of kinds that have a schema as their source. */
export async function generateWithSchemas(options: GenerateOptions & { readonly disk: Disk }): Promise<Generated> {
  const { root, disk } = options;
  const kinds = await findSchemaKinds(root, disk);
  if (kinds.length === 0) return generate(options);
  const schemas = await evaluate(root, kinds);
  const files = kinds.map((kind, index) => ({ kind, ...typesFromSchema(kind, schemas[index]!) }));
  const changes = await Promise.all(files.map(({ path, text }) => planFile(path, text, { root, disk })));
  const types = { root, changes: changes.filter((change) => change !== undefined) };
  const generated = await generate({ ...options, disk: withPlan(disk, types) }).catch((error: unknown) => {
    if (!(error instanceof DiagnosticsError)) throw error;
    // The author knows the schema, not the types, which are not written yet.
    const places = new Map(
      files.map(({ path, kind: { file, start } }) => [path, { file: file.path, ...file.position(start) }]),
    );
    throw new DiagnosticsError(error.diagnostics.map((each) => ({ ...each, ...places.get(each.file) })));
  });
  return { ...generated, plan: joinPlans(types, generated.plan) };
}

/**
 * Evaluates the modules in a process of their own, whose time is limited. The output and the exit in the code below are of that
 * process: a module that keeps a timer or a connection open must not delay its end.
 */
async function evaluate(root: string, kinds: readonly SchemaKind[]): Promise<Schema[]> {
  const { build } = await loadEsbuild(root);
  const imports = kinds.map(({ name, file }, index) => `import { ${name} as k${index} } from "./${file.path}";`);
  const contents = `${imports.join("\n")}
const results = [${kinds.map(({ name }, index) => `["${name}", k${index}]`).join(", ")}].map(([name, schema]) => {
  try {
    return schema["~standard"].jsonSchema.input({ target: "draft-2020-12" });
  } catch (error) {
    throw new Error(name + ": " + error.message);
  }
});
process.stdout.write("\\n" + JSON.stringify(results), () => process.exit());`;
  const stdin = { contents, resolveDir: root, loader: "js" as const };
  const options = { bundle: true, format: "esm", platform: "node", write: false, logLevel: "silent" } as const;
  try {
    const built = await build({ ...options, stdin, absWorkingDir: root, plugins: [packageImports(root)] });
    const limits = { cwd: root, timeout: 20_000, maxBuffer: 64 << 20 };
    const running = promisify(execFile)(process.execPath, ["--input-type=module"], limits);
    running.child.stdin?.end(built.outputFiles[0]!.text);
    const { stdout } = await running;
    return JSON.parse(stdout.slice(stdout.lastIndexOf("\n"))) as Schema[];
  } catch (cause) {
    const { stderr = "", killed } = cause as { stderr?: string; killed?: boolean };
    const reason = killed ? "it did not end in 20 seconds" : (/^\w*Error.*/m.exec(stderr)?.[0] ?? messageOf(cause));
    const files = kinds.map(({ file }) => file.path).join(", ");
    throw new TsopError("TSOP_SCHEMA_EVALUATION", { files, reason }, { cause });
  }
}
