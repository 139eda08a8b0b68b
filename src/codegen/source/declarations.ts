import type {
  Class,
  Expression,
  ImportDeclaration,
  Program,
  Statement,
  TSEnumDeclaration,
  TSInterfaceDeclaration,
  TSTypeAliasDeclaration,
  VariableDeclaration,
} from "oxc-parser";

/** A type that other types can name. */
export type TypeNode = TSInterfaceDeclaration | TSTypeAliasDeclaration | TSEnumDeclaration | Class;

export interface Declared {
  readonly node: TypeNode;
  /** The start of the statement, `export` included: comments precede it. */
  readonly start: number;
  readonly exported: boolean;
}

/** The origin of an imported name: another module's export (`*` is the whole module). */
export interface Import {
  readonly specifier: string;
  readonly name: string;
}

/** The top-level declarations of a file. */
export interface Declarations {
  readonly types: ReadonlyMap<string, Declared>;
  /** `export const X = kindOf(…)`, with the start of its statement. */
  readonly schemas: ReadonlyMap<string, number>;
  /** `const x = …`, for `typeof x`. */
  readonly constants: ReadonlyMap<string, Expression>;
  readonly imports: ReadonlyMap<string, Import>;
  /** Exported name to local name. */
  readonly exports: ReadonlyMap<string, string>;
  /** Exported names that other modules define. */
  readonly reExports: ReadonlyMap<string, Import>;
  /** `export * from`. */
  readonly stars: readonly string[];
}

/** Reads the top level of a program. */
export function readDeclarations(program: Program): Declarations {
  const found = {
    types: new Map<string, Declared>(),
    schemas: new Map<string, number>(),
    constants: new Map<string, Expression>(),
    imports: new Map<string, Import>(),
    exports: new Map<string, string>(),
    reExports: new Map<string, Import>(),
    stars: [] as string[],
  };
  for (const statement of program.body) readStatement(statement, found);
  return found;
}

interface Found {
  readonly types: Map<string, Declared>;
  readonly schemas: Map<string, number>;
  readonly constants: Map<string, Expression>;
  readonly imports: Map<string, Import>;
  readonly exports: Map<string, string>;
  readonly reExports: Map<string, Import>;
  readonly stars: string[];
}

function readStatement(statement: Statement, found: Found): void {
  if (statement.type === "ImportDeclaration") readImport(statement, found);
  else if (statement.type === "ExportAllDeclaration") {
    const specifier = statement.source.value;
    if (statement.exported) found.reExports.set(nameOf(statement.exported), { specifier, name: "*" });
    else found.stars.push(specifier);
  } else if (statement.type === "ExportNamedDeclaration") {
    for (const { exported, local } of statement.specifiers) {
      if (statement.source)
        found.reExports.set(nameOf(exported), { specifier: statement.source.value, name: nameOf(local) });
      else found.exports.set(nameOf(exported), nameOf(local));
    }
    if (statement.declaration)
      readDeclaration(statement.declaration, found, { start: statement.start, exported: true });
  } else if (statement.type === "ExportDefaultDeclaration") readDefault(statement.declaration, found, statement.start);
  else readDeclaration(statement, found, { start: statement.start, exported: false });
}

function readImport({ specifiers, source }: ImportDeclaration, found: Found): void {
  for (const specifier of specifiers) {
    const whole = specifier.type === "ImportNamespaceSpecifier" ? "*" : "default";
    const name = specifier.type === "ImportSpecifier" ? nameOf(specifier.imported) : whole;
    found.imports.set(specifier.local.name, { specifier: source.value, name });
  }
}

function readDefault(declaration: { type: string }, found: Found, start: number): void {
  if (declaration.type === "Identifier")
    found.exports.set("default", (declaration as { name: string } & typeof declaration).name);
  if (declaration.type !== "TSInterfaceDeclaration" && declaration.type !== "ClassDeclaration") return;
  const node = declaration as TSInterfaceDeclaration | Class;
  const name = node.id?.name ?? "default";
  found.types.set(name, { node, start, exported: true });
  found.exports.set("default", name);
}

function readDeclaration(node: { type: string }, found: Found, at: { start: number; exported: boolean }): void {
  if (typeDeclarations.has(node.type)) {
    const declaration = node as TypeNode;
    const name = declaration.id?.name;
    if (!name) return;
    const first = found.types.get(name);
    found.types.set(name, first ? joined(first, declaration) : { node: declaration, ...at });
    if (at.exported) found.exports.set(name, name);
  } else if (node.type === "VariableDeclaration") {
    for (const { id, init } of (node as VariableDeclaration).declarations) {
      if (id.type !== "Identifier" || !init) continue;
      found.constants.set(id.name, init);
      if (at.exported) found.exports.set(id.name, id.name);
      const callee = init.type === "CallExpression" && init.callee.type === "Identifier" ? init.callee.name : "";
      if (at.exported && callee === "kindOf") found.schemas.set(id.name, at.start);
    }
  }
}

/** Interfaces of one name are one type, as in TypeScript; of other declarations, the first one counts. */
function joined(first: Declared, second: TypeNode): Declared {
  const { node } = first;
  if (node.type !== "TSInterfaceDeclaration" || second.type !== "TSInterfaceDeclaration") return first;
  const body = { ...node.body, body: [...node.body.body, ...second.body.body] };
  return { ...first, node: { ...node, extends: [...node.extends, ...second.extends], body } };
}

const typeDeclarations = new Set([
  "TSInterfaceDeclaration",
  "TSTypeAliasDeclaration",
  "TSEnumDeclaration",
  "ClassDeclaration",
]);

function nameOf(node: { type: string } & ({ name: string } | { value: string })): string {
  return "name" in node ? node.name : node.value;
}

/** Returns the declaration that a comment before each offset describes: a type, or a field at any depth. */
export function markerTargets(declarations: Declarations): Map<number, "type" | "field"> {
  const targets = new Map<number, "type" | "field">();
  for (const start of declarations.schemas.values()) targets.set(start, "type");
  for (const { node, start } of declarations.types.values()) {
    targets.set(start, "type");
    if (node.type === "ClassDeclaration" || node.type === "ClassExpression") addProperties(node, targets);
    else addFields(node, targets);
  }
  return targets;
}

function addProperties(node: Class, targets: Map<number, "type" | "field">): void {
  for (const member of node.body.body) {
    if (member.type !== "PropertyDefinition" || member.static) continue;
    targets.set(member.start, "field");
    if (member.typeAnnotation) addFields(member.typeAnnotation, targets);
  }
}

/** Adds the properties written in a type. */
function addFields(node: object, targets: Map<number, "type" | "field">): void {
  if ("type" in node && node.type === "TSPropertySignature" && "start" in node)
    targets.set(node.start as number, "field");
  for (const child of Object.values(node)) {
    if (typeof child === "object" && child !== null) addFields(child as object, targets);
  }
}
