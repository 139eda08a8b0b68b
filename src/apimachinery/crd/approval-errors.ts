import { invalid, required, type FieldError } from "../field-error.ts";

export const approvalAnnotation = "api-approved.kubernetes.io";

/** Groups of the Kubernetes project require an approval annotation. */
export function approvalErrors(group: string, annotations: Readonly<Record<string, string>> = {}): FieldError[] {
  if (!isProtected(group)) return [];
  const key = approvalAnnotation;
  const field = `metadata.annotations[${key}]`;
  const rule = `protected groups must have approval annotation "${key}"`;
  const link = "see https://github.com/kubernetes/enhancements/pull/1111";
  const value = annotations[key];
  if (!value) return [required(field, `${rule}, ${link}`)];
  if (value.startsWith("unapproved") || URL.canParse(value)) return [];
  return [invalid(field, value, `${rule} with either a URL or a reason starting with "unapproved", ${link}`)];
}

/** Reports whether a group belongs to the Kubernetes project. */
export function isProtected(group = ""): boolean {
  return /(^|\.)(k8s|kubernetes)\.io$/.test(group);
}
