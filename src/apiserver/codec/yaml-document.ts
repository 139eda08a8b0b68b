/** Text that is not YAML, or that JSON could not hold. */
export class YamlSyntaxError extends Error {
  override readonly name: string = "YamlSyntaxError";
}

export interface YamlDocument {
  readonly value: unknown;
  /** The text is JSON, too. */
  readonly isJson: boolean;
}
