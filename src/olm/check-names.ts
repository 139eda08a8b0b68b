import { TsopError } from "../errors/tsop-error.ts";

/** Throws if a package name cannot be part of a file's name. The rules of OLM come later and report more. */
export function checkPackageName(name: string): void {
  if (!/^\w[\w.-]*$/.test(name)) throw new TsopError("TSOP_PACKAGE_NAME", { name: JSON.stringify(name) });
}

/** Throws if the path of a folder cannot stand in a Dockerfile. */
export function checkDockerfilePath(folder: string): void {
  if (!/^[\w./@+~-]+$/.test(folder)) throw new TsopError("TSOP_DOCKERFILE_PATH", { folder: JSON.stringify(folder) });
}
