export interface Spec {
  two: [number, number]; named: [from: string, to: string]; optional: [string, string?]; namedOptional: [a: string, b?: string];
  least: [string, ...string[]]; rest: [...string[]]; namedRest: [first: string, ...more: string[]]; fixed: readonly [string, string];
  objects: [{ a: string }, { a: string }];
}
