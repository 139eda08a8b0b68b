export type Spec = { a: string } & { a: number };
