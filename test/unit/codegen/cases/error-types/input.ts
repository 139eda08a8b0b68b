export interface Spec {
  a: any; b: unknown; c: object; d: bigint; e: symbol; f: Date; g: Map<string, string>; h: Set<string>; i: Uint8Array;
  j: () => void; k(): void; l: "a" | number; m: "a" | 1; n: { a: string } | { b: string }; o: `x${string}`;
  p: [string, number]; q: string extends string[] ? 1 : 2; r: { a: string; [key: string]: string }; s: 1 | 1.5; t: never; u: null;
  v: typeof Spec; w: [a: string, b?: string]; x: Record<string, never>; y; z: "a" | string;
  aa: "a" | (string & {}); ab: String; ac: Number; ad: URL; ae: ReadonlyMap<string, string>; af: Uppercase<string>;
  ag: Record<`app.${string}`, string>; ah: string | string[];
}
