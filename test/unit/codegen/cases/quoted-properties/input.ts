export interface Spec { "with-dash": string; "with.dot"?: number; 5: boolean; 'single': string }
