import { child, fill, items } from "../../../apimachinery/fields.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { listAt, textAt, textsAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { firstThree, printer } from "../printing/printer.ts";

/** EndpointSlice. */
export const endpointSlice: BuiltinKind = {
  unconditionalUpdate: true,
  generationOf: ({ metadata: _metadata, ...content }) => content,
  applyDefaults(slice) {
    for (const port of items(slice, "ports")) fill(port, { name: "", protocol: "TCP" });
    for (const endpoint of items(slice, "endpoints")) child(endpoint, "conditions");
    // Go always writes both.
    for (const list of ["endpoints", "ports"]) if (slice[list] === undefined) slice[list] = null;
  },
  printer: printer("AddressType|Ports|Endpoints|Age", (object, now) => [
    textAt(object, "addressType"),
    firstThree(listAt(object, "ports").map((port) => textAt(port, "port") || textAt(port, "name") || "*")) || "<unset>",
    firstThree(listAt(object, "endpoints").flatMap((endpoint) => textsAt(endpoint, "addresses"))) || "<unset>",
    creationAge(object, now),
  ]),
};
