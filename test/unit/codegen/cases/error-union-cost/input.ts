type Step = { run: string; uses?: never } | { uses: string; run?: never } | { kind: "wait"; seconds: number };
interface Job {
  steps: Step[];
  // +kubebuilder:validation:MaxItems=100
  bounded: Step[];
}
export interface Spec {
  stages: Record<string, { jobs: Job[] }>;
  // +kubebuilder:validation:MaxItems=1000
  simple: Step[];
}
