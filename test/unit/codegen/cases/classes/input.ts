export class Base { /** from base */ name!: string; }
export class Spec extends Base {
  /** kept */
  size: number = 3;
  optional?: string;
  readonly fixed!: string;
  static ignored: string;
  private secret: string;
  protected inner: string;
  #hidden: string;
  constructor() { super(); }
  method(): void {}
  get computed(): string { return ""; }
}
