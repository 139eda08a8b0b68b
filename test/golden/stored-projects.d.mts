export declare const projectNames: readonly string[];
export declare function readProject(name: string): Map<string, string>;
export declare function writeProject(name: string, folder: string): void;
