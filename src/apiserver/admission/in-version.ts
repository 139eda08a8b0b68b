import type { AdmissionAttributes, Equivalent } from "./admission-attributes.ts";

/** A write, and how to get back from the version in which it is shown. */
export interface ShownWrite {
  readonly attributes: AdmissionAttributes;
  readonly equivalent?: Equivalent | undefined;
}

/** The write in another version of its resource. */
export async function inVersion(attributes: AdmissionAttributes, version: string | undefined): Promise<ShownWrite> {
  const { resource, object, oldObject } = attributes;
  const equivalent = attributes.equivalents.find((other) => other.resource.version === version);
  if (!equivalent || version === resource.version) return { attributes };
  const shown = {
    resource: equivalent.resource,
    requested: resource,
    object: object && (await equivalent.to(object)),
    oldObject: oldObject && (await equivalent.to(oldObject)),
  };
  return { attributes: { ...attributes, ...shown }, equivalent };
}
