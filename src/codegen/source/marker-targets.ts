import type { Class } from "oxc-parser";
import type { Declarations } from "./declarations.ts";

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
