interface Part { name: string }
export interface Spec {
  a?: string; b: string | undefined; c: string | null; d?: Part | null; e: (string | null)[]; f: "x" | "y" | null; g: Part; h: null | number;
}
