import { visibleControls } from "../../apimachinery/visible-controls.ts";
import type { PendingRow } from "../../olm/cluster/olm-host.ts";
import type { Output } from "../io.ts";

/** A table at the end of a terminal, which is drawn again in place; lines are written above it. */
export class PendingTable {
  private readonly output: Output;
  private rows: readonly PendingRow[] = [];
  private drawn = "";

  constructor(output: Output) {
    this.output = output;
  }

  /** Writes a line that stays. */
  write(line: string): void {
    this.draw(`${line}\n`);
  }

  /** Shows these rows instead of those before. */
  show(rows: readonly PendingRow[]): void {
    this.rows = rows;
    if (this.text() !== this.drawn) this.draw("");
  }

  private draw(above: string): void {
    const height = this.drawn.split("\n").length - 1;
    const clear = height > 0 ? `\r\u001b[${height}A\u001b[J` : "";
    this.drawn = this.text();
    this.output.write(clear + above + this.drawn);
  }

  /** Each row is one line of the terminal, so that the number of lines is known. */
  private text(): string {
    const width = Math.max(0, ...this.rows.map(({ name }) => name.length));
    return this.rows
      .map(({ name, state }) => visibleControls(`  ${name.padEnd(width)}  ${state.split("\n")[0]}`))
      .map((line) => `${line.slice(0, this.output.columns - 1)}\n`)
      .join("");
  }
}
