import { expect, it } from "vitest";
import { main } from "../../../src/cli/main.ts";
import { markerReference } from "../../../src/codegen/markers/reference.ts";
import { memoryIo } from "./memory-io.ts";

it("prints every marker as data", async () => {
  const io = memoryIo();
  expect(await main(["markers", "--output", "json"], io)).toBe(0);
  expect(JSON.parse(io.out())).toEqual(markerReference());
});

it("describes a marker, its allowed places and its arguments", async () => {
  const io = memoryIo();
  expect(await main(["markers", "subresource:scale"], io)).toBe(0);
  expect(io.out()).toBe(`\
+kubebuilder:subresource:scale:specpath=<string>,statuspath=<string>[,selectorpath=<string>]
    The resource can be scaled by kubectl scale and autoscalers.
    on: type
      specpath      the JSONPath of the desired replicas (string, required)
      statuspath    the JSONPath of the actual replicas (string, required)
      selectorpath  the JSONPath of the label selector, a string (string)
`);
});

it("finds a marker by its name, in any case, and by its form for the items of a list", async () => {
  const io = memoryIo();
  expect(await main(["markers", "+kubebuilder:validation:items:minlength"], io)).toBe(0);
  expect(io.out()).toBe(`\
+kubebuilder:validation:MinLength=<int>
    The smallest allowed number of characters in a string.
    on: type, field; for the elements of a list: +kubebuilder:validation:items:MinLength
`);
});

it("rejects an unknown marker", async () => {
  const io = memoryIo();
  expect(await main(["markers", "rbca"], io)).toBe(2);
  expect(io.err()).toContain("no marker has a name that contains 'rbca'");
});
