interface Part { name: string }
type Mode = "on" | "off";
export interface Spec {
  i: Mode | null;
  a?: string; b: string | undefined; c: string | null; d?: Part | null; e: (string | null)[]; f: "x" | "y" | null; g: Part; h: null | number;
}
