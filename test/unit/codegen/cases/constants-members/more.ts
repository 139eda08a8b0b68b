export const levels = { low: "l", high: "h" } as const;
export type levels = string;
