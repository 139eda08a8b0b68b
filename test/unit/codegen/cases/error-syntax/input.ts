export interface Spec { a: string
  b: ; }
