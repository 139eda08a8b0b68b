enum Color { Red = "red", Green = "green" }
const enum Size { Small, Large = 5, Huge }
/** Phase has docs. */
export enum Phase { Pending = "Pending" }
export interface Spec { color: Color; size: Size; phase: Phase; two: Color | "blue"; map: Record<Color, string>; list: Phase[] }
