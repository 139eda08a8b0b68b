interface Part { x: string }
export interface Spec {
  a: Record<string, string>; b: { [key: string]: Part }; c: Record<"x" | "y", number>; d: Partial<Record<"x" | "y", number>>;
  e: Record<string, unknown>; f: { [key: string]: any }; g: { known: string; [key: string]: unknown }; h: Record<string, Record<string, number>>;
}
