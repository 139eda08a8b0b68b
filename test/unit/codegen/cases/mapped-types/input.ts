export interface Spec { a: { [K in "x" | "y"]: number }; b: { [K in "x" | "y"]?: K }; c: { readonly [K in keyof P]: boolean } }
interface P { one: string; two: string }
