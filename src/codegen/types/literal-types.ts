import type { TSConditionalType, TSTemplateLiteralType, TSType } from "oxc-parser";
import { constantNamed, isList, memberOf, type ConstantValue } from "./constants.ts";
import { enumMembers, enumValues, literalValue, type LiteralValue } from "./literals.ts";
import { commonPart } from "./schema-draft.ts";
import { propertiesNamed } from "./property-types.ts";
import { namesOf, type Bound, type Scope } from "./scope.ts";
import type { TypeEvaluator } from "./type-evaluator.ts";

/** Returns the values of a type that is a set of literals, in source order; `undefined` for other types. */
export function literalsOf(node: TSType, scope: Scope, types: TypeEvaluator): LiteralValue[] | undefined {
  if (node.type === "TSParenthesizedType") return literalsOf(node.typeAnnotation, scope, types);
  if (node.type === "TSLiteralType") return allKnown([literalValue(node.literal)]);
  if (node.type === "TSUnionType") return allKnown(node.types.map((part) => literalsOf(part, scope, types)))?.flat();
  if (node.type === "TSTypeReference") return ofReference(node, scope, types);
  if (node.type === "TSIndexedAccessType" || node.type === "TSTypeQuery") {
    const values = constantsOf(node, scope, types)?.map((value) => (typeof value === "object" ? undefined : value));
    if (values || node.type === "TSTypeQuery") return values && allKnown(values);
    const names = literalsOf(node.indexType, scope, types);
    const found = names?.map((name) => propertiesNamed(String(name), node.objectType, scope, types));
    const parts = found && allKnown(found)?.flat();
    return parts && allKnown(parts.map((part) => literalsOf(part.node, part.scope, types)))?.flat();
  }
  if (node.type === "TSIntersectionType") return ofIntersection(node.types, scope, types);
  if (node.type === "TSConditionalType") {
    const branches = branchesFor(node, scope, types)?.filter((branch) => branch.node.type !== "TSNeverKeyword");
    return branches && allKnown(branches.map((branch) => literalsOf(branch.node, branch.scope, types)))?.flat();
  }
  if (node.type === "TSTemplateLiteralType") return ofTemplate(node, scope, types);
  return node.type === "TSTypeOperator" && node.operator === "keyof"
    ? keysOf(node.typeAnnotation, scope, types)
    : undefined;
}

function allKnown<T>(values: (T | undefined)[]): T[] | undefined {
  return values.every((value) => value !== undefined) ? values : undefined;
}

/** Returns the names of `keyof T`: the properties of a type or of a constant object. */
export function keysOf(node: TSType, scope: Scope, types: TypeEvaluator): string[] | undefined {
  const [constant] = constantsOf(node, scope, types) ?? [];
  if (constant instanceof Map) return [...(constant as ReadonlyMap<string, unknown>).keys()];
  const { properties } = commonPart(types.flatten(types.schemaOf(node, scope), node, scope));
  return properties && Object.keys(properties);
}

/** Returns the values that `typeof x.y`, `(typeof x)["y"]` or `(typeof list)[number]` names; `undefined` for other types. */
export function constantsOf(
  node: TSType,
  scope: Scope,
  types: TypeEvaluator,
): Exclude<ConstantValue, undefined>[] | undefined {
  if (node.type === "TSParenthesizedType") return constantsOf(node.typeAnnotation, scope, types);
  if (node.type === "TSTypeQuery")
    return node.exprName.type === "TSImportType"
      ? undefined
      : allKnown([constantNamed(namesOf(node.exprName), scope, types)]);
  if (node.type !== "TSIndexedAccessType") return undefined;
  const owners = constantsOf(node.objectType, scope, types);
  if (owners && node.indexType.type === "TSNumberKeyword")
    return allKnown(owners.flatMap((owner) => (isList(owner) ? owner : [undefined])));
  const keys = owners && literalsOf(node.indexType, scope, types);
  return keys && allKnown(owners.flatMap((owner) => keys.map((key) => memberOf(owner, String(key)))));
}

function ofReference(
  node: Extract<TSType, { type: "TSTypeReference" }>,
  scope: Scope,
  types: TypeEvaluator,
): LiteralValue[] | undefined {
  const names = namesOf(node.typeName);
  const parameter = scope.parameters.get(names.join("."));
  if (parameter) return literalsOf(parameter.node, parameter.scope, types);
  const found = types.resolve(names, scope);
  if (!found) return ofUtility(names.join("."), node.typeArguments?.params ?? [], scope, types);
  if (found.is === "member") return allKnown([enumMembers(found.declaration).get(found.name)]);
  if (found.is !== "type") return undefined;
  const { node: declaration } = found.declared;
  if (declaration.type === "TSEnumDeclaration") return enumValues(declaration);
  if (declaration.type !== "TSTypeAliasDeclaration") return undefined;
  const bounds = types.bind(found, node.typeArguments?.params ?? [], { node, scope });
  const inner: Scope = { module: found.module, parameters: bounds.parameters, path: scope.path, stack: scope.stack };
  return literalsOf(declaration.typeAnnotation, inner, types);
}

function ofUtility(
  name: string,
  [all, some]: readonly TSType[],
  scope: Scope,
  types: TypeEvaluator,
): LiteralValue[] | undefined {
  const change = textChanges.get(name);
  if (!all || (!change && name !== "Exclude" && name !== "Extract")) return undefined;
  const values = literalsOf(all, scope, types);
  if (change) return values?.map((value) => change(String(value)));
  const isIn = some && included(some, scope, types);
  return isIn && values?.filter((value) => isIn(value) === (name === "Extract"));
}

const textChanges: ReadonlyMap<string, (text: string) => string> = new Map([
  ["Uppercase", (text: string) => text.toUpperCase()],
  ["Lowercase", (text: string) => text.toLowerCase()],
  ["Capitalize", (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)],
  ["Uncapitalize", (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1)],
]);

/** Returns whether a type includes a literal; `undefined` if the type is neither a keyword nor literals. */
function included(node: TSType, scope: Scope, types: TypeEvaluator): ((value: LiteralValue) => boolean) | undefined {
  if (node.type === "TSStringKeyword") return (value) => typeof value === "string";
  if (node.type === "TSNumberKeyword") return (value) => typeof value === "number";
  const values = literalsOf(node, scope, types);
  return values && ((value) => values.includes(value));
}

/** Returns the branch of a conditional type for each literal of its parameter; `undefined` if it tests other types. */
export function branchesFor(
  { checkType, extendsType, trueType, falseType }: TSConditionalType,
  scope: Scope,
  types: TypeEvaluator,
): Bound[] | undefined {
  const values = literalsOf(checkType, scope, types);
  const isIn = values && included(extendsType, scope, types);
  if (!isIn) return undefined;
  const name = checkType.type === "TSTypeReference" ? namesOf(checkType.typeName).join(".") : "";
  if (!scope.parameters.has(name)) return [{ node: values.every(isIn) ? trueType : falseType, scope }];
  return values.map((value) => {
    const parameters = new Map([...scope.parameters, [name, { node: literalType(value, checkType), scope }]]);
    return { node: isIn(value) ? trueType : falseType, scope: { ...scope, parameters } };
  });
}

/** Returns the type of a value that no source text has. */
export function literalType(
  value: LiteralValue,
  { start, end }: { readonly start: number; readonly end: number },
): TSType {
  return {
    type: "TSLiteralType",
    literal: { type: "Literal", value, raw: JSON.stringify(value), start, end },
    start,
    end,
  };
}

/** `keyof T & string`, and literals that several sets have in common. */
function ofIntersection(parts: readonly TSType[], scope: Scope, types: TypeEvaluator): LiteralValue[] | undefined {
  const values = parts.map((part) => literalsOf(part, scope, types)).find((list) => list !== undefined);
  const tests = values && allKnown(parts.map((part) => included(part, scope, types)));
  return tests && values.filter((value) => tests.every((test) => test(value)));
}

/** Returns all texts of a template; `undefined` if a part is not a literal, or if there are too many texts. */
function ofTemplate(node: TSTemplateLiteralType, scope: Scope, types: TypeEvaluator): LiteralValue[] | undefined {
  let texts: string[] = [node.quasis[0]?.value.cooked ?? ""];
  for (const [index, type] of node.types.entries()) {
    const values = literalsOf(type, scope, types);
    if (!values || texts.length * values.length > mostTexts) return undefined;
    const end = node.quasis[index + 1]?.value.cooked ?? "";
    texts = texts.flatMap((text) => values.map((value) => `${text}${String(value)}${end}`));
  }
  return texts;
}

const mostTexts = 200;
