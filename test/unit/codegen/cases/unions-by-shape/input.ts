export interface Spec {
  address: { host: string; port?: number } | { socket: string };
  two: { host: string; port: number } | { socket: string; mode: "r" | "w" };
  wide: { a: string } | { a: string; b: string };
  values: { a: string; mode: "x" | "y"; level?: 1 | 2 } | { a?: string; mode: "y" | "z"; level?: 2 | 3 };
  empty: { a: string; b: string } | {};
  alike: { a: string; b?: string } | { a: string; c?: string };
}
