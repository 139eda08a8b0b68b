import { int, list, text } from "./argument.ts";
import { named, optional, required, type Marker } from "./marker.ts";

const name = "operator-sdk:csv:customresourcedefinitions";

/** The presentation of a kind in a catalog: its entry in the ClusterServiceVersion. */
export const csvKind: Marker<{ displayName?: string; resources?: string[][]; order?: number }> = {
  name,
  targets: ["type"],
  argument: named({
    displayName: optional(text, "the display name"),
    resources: optional(list(list(text)), "the objects that the operator creates for it: {{Kind,version,name},…}"),
    order: optional(int, "its position among the kinds"),
  }),
  help: "The presentation of the kind in a catalog.",
};

/** The presentation of a field in a catalog's forms. */
export const csvField: Marker<{ type: string; displayName?: string; xDescriptors?: string[]; order?: number }> = {
  name,
  targets: ["field"],
  argument: named({
    type: required(text, "spec or status"),
    displayName: optional(text, "the display name"),
    xDescriptors: optional(list(text), "widgets, such as urn:alm:descriptor:com.tectonic.ui:podCount"),
    order: optional(int, "its position among the fields"),
  }),
  help: "The presentation of the field in a catalog.",
};
