import type { Float, Int32 } from "tsop";
type Size = "small" | "large";
type Percent = `${number}%`;
export interface Spec {
  cpu: `${number}m`; arn: `arn:${string}`; port: `${Int32}/${"tcp" | "udp"}`; flag: `on=${boolean}`; big: `${bigint}`; dots: `v${Float}.x`;
  all: `${Size}-${1 | 2}`; nested: `<${Percent}>`; either: "auto" | "off" | Percent; two: `a${string}` | `b${string}`; many: number | Percent;
  wide: Percent | string; map: Record<`${Size}.key`, string>; special: `a.b|${string}` | "c|d"; limited: Limited | "none"; optional?: Percent | null;
}
// +kubebuilder:validation:Pattern=`^a$|^b$`
type Limited = string;
