import type { Fields } from "../../../apimachinery/fields.ts";
import { type FieldError, forbidden } from "../../../apimachinery/field-error.ts";
import { labelKeyErrors, labelsErrors } from "./name-errors.ts";

/** Returns the errors in the metadata of a claim that is only a template: it has labels and annotations. */
export function templateMetaErrors(metadata: Fields | undefined, at: string): FieldError[] {
  const { labels, annotations, ...others } = metadata ?? {};
  return [
    ...Object.keys((annotations ?? {}) as Fields).flatMap((key) =>
      labelKeyErrors(`${at}.annotations`, key.toLowerCase()),
    ),
    ...labelsErrors(`${at}.labels`, labels as Record<string, string> | undefined),
    // A real server derives the names from those of Go.
    ...Object.keys(others).map((name) => forbidden(`${at}.${name === "uid" ? "uID" : name}`, "cannot be set")),
  ];
}
