import { checkDns1035Label, checkDns1123Label, checkDns1123Subdomain } from "../apimachinery/names.ts";

// Values that become parts of paths, of source text and of manifests. Each check returns the rule that a value breaks,
// or `undefined`. Flags and PROJECT obey the same rules.

export function checkProjectName(value: string): string | undefined {
  return checkDns1123Label(value);
}

/** Checks a group without its domain, or a domain; both may be empty. */
export function checkGroupPart(value: string): string | undefined {
  return value === "" ? undefined : checkDns1123Subdomain(value);
}

/** Checks a kind of any project; `create api` is stricter. */
export function checkAnyKind(value: string): string | undefined {
  return /^[A-Za-z][A-Za-z0-9]{0,62}$/.test(value) ? undefined : "letters and digits only, like Memcached";
}

/** Checks a version of any project; `create api` is stricter. */
export function checkAnyVersion(value: string): string | undefined {
  return checkDns1035Label(value);
}

/** Checks the URL path of a webhook. */
export function checkWebhookPath(value: string): string | undefined {
  return /^(\/[A-Za-z0-9-_]+)+$/.test(value) ? undefined : "it must look like /mutate-memcacheds";
}

/** Checks the module that a foreign type is imported from: a path in a package, or a file of the project. */
export function checkModulePath(value: string): string | undefined {
  const parts = value.split("/");
  const isFile = parts[0] === ".";
  const names = isFile ? parts.slice(1) : parts;
  const isPlain = (name: string): boolean => /^[\w@~.-]+$/.test(name) && !/^\.+$/.test(name);
  if (names.length > 0 && names.every(isPlain)) return undefined;
  return "a path in a package, like cert-manager/v1, or a file of the project, like ./api/foreign.ts";
}

/** Checks a package with an optional range: `name`, `@scope/name@^1.2.0`. */
export function checkPackageSpec(value: string): string | undefined {
  const found = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*(?:@(.*))?$/s.exec(value);
  if (found && checkPackageRange(found[1] ?? "") === undefined) return undefined;
  return "an npm package and its version, like cert-manager-types@^1.2.0";
}

/** Checks the name of a project's package, or the module path of a Go project. */
export function checkPackagePath(value: string): string | undefined {
  return /^[\w@~.-]+(\/[\w@~.-]+)*$/.test(value) ? undefined : "the name of a package, like @team/operator";
}

/** Checks text of one line for a block comment. */
export function checkCommentText(value: string): string | undefined {
  return /\*\/|\p{Cc}|[\u2028\u2029]/u.test(value) ? "one line of text without the end of a comment" : undefined;
}

/** Checks the name of an image. */
export function checkImageName(value: string): string | undefined {
  return /^[A-Za-z0-9][\w.\-/:@]*$/.test(value) ? undefined : "the name of an image, such as nginx:1.29";
}

/** Checks a version, range, path or URL of npm. */
export function checkPackageRange(value: string): string | undefined {
  return /^[\w.\-+*^~<>=|:/@#%?& ]*$/.test(value) ? undefined : "a version, a file: path or a URL";
}
