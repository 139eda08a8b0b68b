export type Deep = { d: Deeper };
interface Deeper { e: string }
