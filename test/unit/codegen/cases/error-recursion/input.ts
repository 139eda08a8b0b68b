export interface Spec { tree: Node }
interface Node { value: string; children?: Node[] }
