import { expectTypeOf, it } from "vitest";
import type { DeepReadonly, Int32, IntOrString } from "../../../src/apimachinery/meta.ts";
import type { Max, MaxItems, MaxLength, MaxProperties, Min, Pattern } from "../../../src/apimachinery/bounds.ts";
import type { ApplyConfiguration } from "../../../src/client/client.ts";

type Port = Int32 & Min<1> & Max<65535>;

interface Spec {
  port: Port;
  maybe?: (Port | null) & Max<80>;
  name: string & MaxLength<63> & Pattern<"^[a-z]+$">;
  either: IntOrString & Min<1>;
  ports: Port[] & MaxItems<3>;
  labels: Record<string, string> & MaxProperties<3>;
}

it("leaves the types of values as they are", () => {
  expectTypeOf<Port>().toEqualTypeOf<number>();
  expectTypeOf<Spec["maybe"]>().toEqualTypeOf<number | null | undefined>();
  expectTypeOf<Spec["name"]>().toEqualTypeOf<string>();
  expectTypeOf<Spec["either"]>().toEqualTypeOf<IntOrString>();
  expectTypeOf<number[]>().toExtend<Spec["ports"]>();
  expectTypeOf<Spec["ports"]>().toExtend<number[]>();
  expectTypeOf<DeepReadonly<Spec>["ports"]>().toEqualTypeOf<readonly number[]>();
});

it("takes plain values", () => {
  const spec: Spec = { port: 80, name: "a", either: "25%", ports: [80], labels: { a: "b" } };
  const applied: ApplyConfiguration<{ metadata: { name: string }; spec: Spec }> = {
    metadata: { name: "a" },
    spec: { ports: [80] },
  };
  spec.ports.push(443);
  expectTypeOf(spec.ports.map((port) => port + 1)).toEqualTypeOf<number[]>();
  expectTypeOf(applied.spec?.port).toEqualTypeOf<number | undefined>();
});
