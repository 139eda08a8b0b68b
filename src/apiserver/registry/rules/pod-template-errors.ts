import { invalid, type FieldError } from "../../../apimachinery/schema/field-error.ts";
import { childIf, type Fields } from "../../../apimachinery/fields.ts";
import { labelKeyErrors, labelsErrors } from "./name-errors.ts";
import { podSpecErrors } from "./pod-spec-errors.ts";

/** What is wrong with a template of pods: its spec, and labels and annotations, which a real server finds beside their metadata. */
export function podTemplateErrors(template: Fields | undefined, at: string): FieldError[] {
  const metadata = childIf(template, "metadata");
  const annotations = Object.keys(childIf(metadata, "annotations") ?? {});
  return [
    ...labelsErrors(`${at}.labels`, childIf(metadata, "labels") as Record<string, string> | undefined),
    ...annotations.flatMap((key) => labelKeyErrors(`${at}.annotations`, key.toLowerCase())),
    ...podSpecErrors(childIf(template, "spec"), `${at}.spec`),
  ];
}

/** Pods that no selector of theirs would find. */
export function unselected(labels: unknown): FieldError {
  return invalid("spec.template.metadata.labels", labels ?? null, "`selector` does not match template `labels`");
}
