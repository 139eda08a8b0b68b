type A = { type: "a"; x: string };
type B = { type: "b"; y: number };
type Either = A | B;
interface Shape { form: "round" | "flat"; same: Shape["form"]; sides: 1 | 2 }
type Named<T extends string> = { name: T };
export interface Spec {
  rest: Exclude<Either["type"], "a">;
  perType: Record<Either["type"], string>;
  texts: `on-${Either["type"]}`;
  branches: { [K in Either["type"]]: Extract<Either, { type: K }> };
  shape: Shape;
  joined: A["type"] | B["type"] | "c";
  mixed: Shape["sides"] | Shape["form"];
  generic: Uppercase<Named<"z">["name"]>;
}
