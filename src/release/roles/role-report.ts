import type { KindCall } from "../../codegen/find-kind-calls.ts";
import type { Account, GrantedRule } from "./granted-rules.ts";

/** What becomes of one verb and one resource of a rule. */
export interface VerbReport {
  readonly verb: string;
  readonly resource: string;
  /** The number of requests that it allows. */
  readonly requests: number;
  readonly example?: string;
  /** The reason why it stays without a request; absent if it could go. */
  readonly kept?: string;
}

/** Reports whether nothing speaks for a verb. */
export function isUnused({ requests, kept }: VerbReport): boolean {
  return requests === 0 && kept === undefined;
}

export interface RuleReport {
  readonly granted: GrantedRule;
  readonly verbs: readonly VerbReport[];
  /** How the rule could be narrower. */
  readonly wider: readonly Width[];
}

/** A part of a rule that allows more than was used. */
export interface Width {
  readonly text: string;
  /** The needed parts of a rule with a star. */
  readonly needed?: readonly Needed[];
  /** The only names of this resource's objects. */
  readonly names?: readonly string[];
  readonly resource?: string;
}

/** A resource with the verbs that the operator needs. */
export interface Needed {
  readonly group: string;
  /** With its subresource: `pods/exec`. */
  readonly resource: string;
  readonly verbs: readonly string[];
}

/** Requests that no rule allows. */
export interface Missing extends Needed {
  readonly example: string;
}

export interface RoleReport {
  readonly runs: number;
  readonly rules: readonly RuleReport[];
  readonly missing: readonly Missing[];
}

/** What is known of an operator apart from its requests. */
export interface Knowledge {
  readonly account: Account;
  /** The calls with a Kind in its sources, and these; both are empty for a program. */
  readonly calls: readonly KindCall[];
  readonly texts: readonly string[];
}
