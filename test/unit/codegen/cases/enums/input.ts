enum Color { Red = "red", Green = "green" }
const enum Size { Small, Large = 5, Huge }
/** Phase has docs. */
export enum Phase { Pending = "Pending" }
export interface Spec { color: Color; size: Size; phase: Phase; two: Color | "blue"; map: Record<Color, string>; list: Phase[];
  /** Like "red". */
  one: Color.Red; number: Size.Large; quoted: Odd.b; some: Color.Red | "blue"; not: Exclude<Color, Color.Red>; by: Record<Color.Green, string> }
enum Odd { a = 1 << 3, "b" = "B" }
