export interface Spec { mode: "b" | "a" | "m"; level: 3 | 1 | -2; flag: true | false; never: false; nested: "x" | ("y" | "z"); single: "only"; template: `plain` }
