export interface Present { a: string }
