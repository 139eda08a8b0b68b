import { int, list, text } from "./argument.ts";
import { named, optional, required, type Marker } from "./marker.ts";

const name = "operator-sdk:csv:customresourcedefinitions";

/** The presentation of a kind in a catalogue: its entry in the ClusterServiceVersion. */
export const csvKind: Marker<{ displayName?: string; resources?: string[][]; order?: number }> = {
  name,
  targets: ["type"],
  argument: named({
    displayName: optional(text, "the name people read"),
    resources: optional(list(list(text)), "what the operator makes of it: {{Kind,version,name},…}"),
    order: optional(int, "its place among the kinds"),
  }),
  help: "How the kind is shown in a catalogue.",
};

/** The presentation of a field in a catalogue's forms. */
export const csvField: Marker<{ type: string; displayName?: string; xDescriptors?: string[]; order?: number }> = {
  name,
  targets: ["field"],
  argument: named({
    type: required(text, "spec or status"),
    displayName: optional(text, "the name people read"),
    xDescriptors: optional(list(text), "widgets, such as urn:alm:descriptor:com.tectonic.ui:podCount"),
    order: optional(int, "its place among the fields"),
  }),
  help: "How the field is shown in a catalogue.",
};
