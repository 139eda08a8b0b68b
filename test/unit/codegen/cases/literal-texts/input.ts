type Unit = "Ki" | "mi";
interface Fields { a: string; b: string }
export interface Spec {
  upper: Uppercase<Unit>;
  lower: `${number}${Lowercase<Unit>}`;
  capital: `on${Capitalize<keyof Fields>}`;
  small: Uncapitalize<"Abc">;
  keys: keyof Fields & string;
  common: ("a" | "b" | "c") & ("b" | "c" | "d");
  texts: Extract<"a" | 1, string>;
  numbers: Exclude<"a" | 1, string>;
}
