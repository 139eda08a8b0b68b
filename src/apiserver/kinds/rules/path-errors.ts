import { isAbsolute } from "node:path/posix";
import { type FieldError, invalid } from "../../../apimachinery/field-error.ts";

/** Checks a path below a folder, which does not leave it. */
export function localPathErrors(field: string, path: string): FieldError[] {
  return [
    ...(isAbsolute(path) ? [invalid(field, path, "must be a relative path")] : []),
    ...backstepErrors(field, path),
  ];
}

/** Checks that a path has no `..`. */
export function backstepErrors(field: string, path: string): FieldError[] {
  return path.split("/").includes("..") ? [invalid(field, path, "must not contain '..'")] : [];
}

/** Checks the path of a file that a volume makes: names with two dots at the start are its own. */
export function fileErrors(field: string, path: string): FieldError[] {
  const isReserved = path.startsWith("..") && !path.startsWith("../") && path !== "..";
  return [...localPathErrors(field, path), ...(isReserved ? [invalid(field, path, "must not start with '..'")] : [])];
}
