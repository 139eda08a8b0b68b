/** How the operator is started. It finds the server by KUBECONFIG. */
export interface OperatorCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface OperatorListener {
  onLine(line: string): void;
  /** Called if the operator ends without having been stopped. */
  onEnd(how: string): void;
}

/** An instance of the operator, which plans kill, freeze and start again. */
export interface Operator {
  readonly ended: Promise<void>;
  readonly hasEnded: boolean;
  /** Ends it at once, as a node that fails does. */
  kill(): Promise<void>;
  /** Asks it to end, and kills it after the grace period. */
  stop(graceMs: number): Promise<void>;
  /** Makes its end no breakdown. */
  expectEnd(): void;
  freeze(): void;
  thaw(): void;
}
