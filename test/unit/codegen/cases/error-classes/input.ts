abstract class Base {
  abstract size: number;
  constructor(readonly name: string, private readonly secret: string) {}
}
export interface Spec { base: Base }
