interface A { a: string; both?: string }
type B = { b?: number; both: string };
declare const tag: unique symbol;
type Id = string & { readonly [tag]: true };
export type Spec = A & B & { c: Id };
