import { levels } from "./more.ts";
// A constant may have the name of the type of its values.
export const Phase = { Ready: "ready", Failed: "failed" } as const;
export type Phase = (typeof Phase)[keyof typeof Phase];
const ports = { http: 80, tls: { port: 443, name: "https" } } as const satisfies Record<string, unknown>;
const frozen = Object.freeze({ a: "x", b: "y" });
const modes = Object.freeze(["fast", "slow"] as const);
const plans = [{ name: "small", size: 1 }, { name: "large", size: 4 }] as const;
const all = { ...frozen, c: "z" } as const;
const more = [...modes, "never"] as const;
enum Color { Red = "red", Blue = "blue" }
export interface Spec {
  phase: Phase;
  port: typeof ports.http | typeof ports.tls.port;
  nested: (typeof ports)["tls"]["name"];
  frozen: (typeof frozen)[keyof typeof frozen];
  mode: (typeof modes)[number];
  plan: (typeof plans)[number]["name"];
  size: (typeof plans)[0 | 1]["size"];
  spread: (typeof all)[keyof typeof all];
  list: (typeof more)[number];
  keys: keyof typeof ports.tls;
  color: (typeof Color)[keyof typeof Color];
  colorName: keyof typeof Color;
  level: typeof levels.low;
}
