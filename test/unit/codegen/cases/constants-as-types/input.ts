const modes = ["fast", "slow"] as const;
const levels = { low: 1, high: 2 } as const;
export const names = { a: "x", b: "y" } as const satisfies Record<string, string>;
export interface Spec { mode: (typeof modes)[number]; level: (typeof levels)[keyof typeof levels]; key: keyof typeof levels; one: (typeof names)["a"] }
