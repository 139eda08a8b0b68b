import { int, list, text, type ValueType } from "./argument.ts";
import { named, optional, required, type Marker } from "./marker.ts";
import type { Scanner } from "./scanner.ts";

const name = "operator-sdk:csv:customresourcedefinitions";

/** Reports whether the marker or its list ends here. operator-sdk reads nothing there: `displayName=`. */
function endsHere(scanner: Scanner): boolean {
  return scanner.atEnd() || scanner.peek() === "}";
}

const textOrNothing: ValueType<string> = {
  name: text.name,
  parse: (scanner) => (endsHere(scanner) ? "" : text.parse(scanner)),
};

/** A list, which is empty if nothing follows the `=`, and may end with a separator. */
function listOrNothing<V>(element: ValueType<V>): ValueType<V[]> {
  const whole = list<V | undefined>({
    name: element.name,
    parse: (scanner) => (endsHere(scanner) ? undefined : element.parse(scanner)),
  });
  return {
    name: whole.name,
    parse: (scanner) => (scanner.atEnd() ? [] : whole.parse(scanner).filter((value) => value !== undefined)),
  };
}

/** The presentation of a kind in a catalog: its entry in the ClusterServiceVersion. */
export const csvKind: Marker<{ displayName?: string; resources?: string[][]; order?: number }> = {
  name,
  targets: ["type"],
  argument: named({
    displayName: optional(textOrNothing, "the display name"),
    resources: optional(
      listOrNothing(list(textOrNothing)),
      "the objects that the operator creates for it: {{Kind,version,name},…}",
    ),
    order: optional(int, "its position among the kinds"),
  }),
  help: "The presentation of the kind in a catalog.",
};

/** The presentation of a field in a catalog's forms. */
export const csvField: Marker<{ type: string; displayName?: string; xDescriptors?: string[]; order?: number }> = {
  name,
  targets: ["field"],
  argument: named({
    type: required(textOrNothing, "spec or status"),
    displayName: optional(textOrNothing, "the display name"),
    xDescriptors: optional(listOrNothing(text), "widgets, such as urn:alm:descriptor:com.tectonic.ui:podCount"),
    order: optional(int, "its position among the fields"),
  }),
  help: "The presentation of the field in a catalog.",
};
