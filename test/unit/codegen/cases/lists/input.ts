interface Part { x: string }
export interface Spec {
  a: string[]; b: Array<number>; c: readonly string[]; d: ReadonlyArray<Part>; e: [number, number]; f: [a: string, b: string, c: string]; g: string[][];
}
