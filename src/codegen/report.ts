import { catalogue, fillTemplate, type ErrorCode, type Facts } from "../errors/catalogue.ts";
import type { Diagnostic } from "../errors/diagnostic.ts";
import type { SourceFile } from "./source/source-file.ts";

/** A position in a parsed file. */
export interface Place {
  readonly file: SourceFile;
  readonly offset: number;
}

/** A position in any file, for a finding. */
export interface FindingPlace {
  readonly file: Pick<SourceFile, "path" | "position">;
  readonly offset: number;
}

/** Collects the findings of a run. A repeated finding (from a shared type) is kept once. */
export class Report {
  private readonly findings = new Map<string, Diagnostic>();

  error<Code extends ErrorCode>(place: FindingPlace, code: Code, facts: Facts<Code>): void {
    this.add("error", place, { code, facts });
  }

  warning<Code extends ErrorCode>(place: FindingPlace, code: Code, facts: Facts<Code>): void {
    this.add("warning", place, { code, facts });
  }

  get errors(): Diagnostic[] {
    return [...this.findings.values()].filter(({ severity }) => severity === "error");
  }

  get warnings(): Diagnostic[] {
    return [...this.findings.values()].filter(({ severity }) => severity === "warning");
  }

  private add(
    severity: Diagnostic["severity"],
    place: FindingPlace,
    finding: { code: ErrorCode; facts: Readonly<Record<string, string | number>> },
  ): void {
    const { message, hint } = catalogue[finding.code];
    const diagnostic: Diagnostic = {
      severity,
      code: finding.code,
      file: place.file.path,
      ...place.file.position(place.offset),
      message: fillTemplate(message, finding.facts),
      hint: fillTemplate(hint, finding.facts),
    };
    this.findings.set(JSON.stringify(diagnostic), diagnostic);
  }
}
