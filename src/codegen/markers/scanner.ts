/** A syntax error in a marker's argument. `offset` counts from the start of the argument. */
export class MarkerSyntaxError extends Error {
  override readonly name: string = "MarkerSyntaxError";
  readonly offset: number;
  readonly advice: string;

  constructor(message: string, offset: number, advice = "see: tsop markers") {
    super(message);
    this.offset = offset;
    this.advice = advice;
  }
}

/** Scans the argument of a marker from left to right. Blanks between tokens are skipped. */
export class Scanner {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  peek(): string {
    this.skipBlanks();
    return this.text[this.at] ?? "";
  }

  /** Consumes the character if it is next. */
  take(char: string): boolean {
    if (this.peek() !== char) return false;
    this.at++;
    return true;
  }

  expect(char: string): void {
    if (!this.take(char)) this.fail(`expected "${char}", got ${this.describeNext()}`);
  }

  /** Consumes the text that the pattern (with the flag `y`) matches here. */
  match(pattern: RegExp): string | undefined {
    this.skipBlanks();
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  atEnd(): boolean {
    return this.peek() === "";
  }

  describeNext(): string {
    return this.atEnd() ? "the end" : `"${this.text.slice(this.at, this.at + 20)}"`;
  }

  fail(message: string, advice?: string): never {
    throw new MarkerSyntaxError(message, this.at, advice);
  }

  skipBlanks(): void {
    while (this.text[this.at] === " " || this.text[this.at] === "\t") this.at++;
  }
}
