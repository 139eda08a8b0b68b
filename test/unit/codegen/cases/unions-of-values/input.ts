type Text = string & {};
export interface Spec {
  suggested: "a" | "b" | (string & {}); text: "a" | string; named: "a" | Text; numbers: 1 | 2 | number; ids: 1 | (number & {});
  auto: number | "auto"; limited: Limited | "auto" | "off"; mixed: "a" | 1 | 2; fraction: 0.5 | 1; same: string | string;
  flags: true | false; off: false; levels: 1 | 2 | 3; never: "a" | never; percent: number | "50%" | string; special: number | "a.b" | "c|d";
}
/** +kubebuilder:validation:Minimum=0 */
type Limited = import("tsop").Int32;
