import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";
import { TsopError } from "../errors/tsop-error.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Finds a program of the control plane: by envtest's variable, else in the folder. */
export function findAsset(program: string, folder: string, env: Environment): string {
  const file = process.platform === "win32" ? `${program}.exe` : program;
  const path = env[assetVariable(program)] || join(folder, file);
  try {
    if (!statSync(path).isFile()) throw new TsopError("TSOP_ASSET_UNUSABLE", { path, reason: "it is not a file" });
    accessSync(path, constants.X_OK);
    return path;
  } catch (cause) {
    if (cause instanceof TsopError) throw cause;
    if ((cause as NodeJS.ErrnoException).code !== "EACCES")
      throw new TsopError("TSOP_ASSETS_MISSING", { path }, { cause });
    throw new TsopError("TSOP_ASSET_UNUSABLE", { path, reason: "it is not executable" }, { cause });
  }
}

/** Reports whether both programs are named by variables, so that no folder is needed. */
export function namesAllAssets(env: Environment): boolean {
  return ["etcd", "kube-apiserver"].every((program) => env[assetVariable(program)]);
}

function assetVariable(program: string): string {
  return `TEST_ASSET_${program.toUpperCase().replaceAll("-", "_")}`;
}
