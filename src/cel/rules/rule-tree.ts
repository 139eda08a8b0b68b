import { finish, type Steps } from "../../apimachinery/steps.ts";
import type { JsonSchema, ValidationRule } from "../../apimachinery/json-schema.ts";
import { compileProgram, CompileError, type Program } from "../compile-rule.ts";
import { parseFieldPath } from "./field-path.ts";
import { isEmbedded, typeOfSchema } from "./schema-type.ts";
import type { CelType } from "../values/types.ts";

export interface CompiledRule {
  readonly source: ValidationRule;
  readonly program: Program;
  readonly message: Program | undefined;
  readonly usesOldSelf: boolean;
  /** Appended to the path of the value: `.a.b`, `[key]`, or empty. */
  readonly fieldPath: string;
}

/** A rule that does not compile, so that no value satisfies it. */
export interface UnusableRule {
  readonly problem: string;
}

/** A part of a schema with rules, in it or below it. */
export interface CompiledNode {
  readonly schema: JsonSchema;
  readonly isResource: boolean;
  readonly rules: readonly (CompiledRule | UnusableRule)[];
  readonly properties: ReadonlyMap<string, CompiledNode>;
  readonly additional: CompiledNode | undefined;
  readonly items: CompiledNode | undefined;
  /** Members of allOf with rules for the same value. */
  readonly branches: readonly CompiledNode[];
}

const compiled = new WeakMap<JsonSchema, { node: CompiledNode | undefined }>();

/** Compiles the rules of a schema once; returns `undefined` if there are none. */
export function compileRules(schema: JsonSchema, isResource: boolean): CompiledNode | undefined {
  return finish(prepareRules(schema, isResource));
}

/** Compiles the rules of a schema in steps. */
export function* prepareRules(schema: JsonSchema, isResource: boolean): Steps<CompiledNode | undefined> {
  const known = compiled.get(schema);
  if (known) return known.node;
  const node = yield* compileNode(schema, schema, isResource);
  compiled.set(schema, { node });
  return node;
}

/** Returns the variables of a rule: `self`, and `oldSelf`, which can be optional. */
export function ruleVariables(type: CelType, rule: ValidationRule): Record<string, CelType> {
  return { self: type, oldSelf: rule.optionalOldSelf ? { kind: "optional", element: type } : type };
}

/** Compiles a node. `rules` holds the rules and may be a member of allOf; `schema` declares the value. */
function* compileNode(rules: JsonSchema, schema: JsonSchema, isResource: boolean): Steps<CompiledNode | undefined> {
  const own = yield* compileOwn(rules["x-kubernetes-validations"] ?? [], schema, isResource);
  const properties = new Map<string, CompiledNode>();
  for (const [name, child] of Object.entries(rules.properties ?? {})) {
    const declared = schema.properties?.[name];
    // A property with rules but without a known type is left out.
    const isHidden = child["x-kubernetes-validations"] && declared && !typeOfSchema(declared, isEmbedded(declared));
    const node = declared && !isHidden ? yield* compileNode(child, declared, isEmbedded(declared)) : undefined;
    if (node) properties.set(name, node);
  }
  const additional = yield* compileChild(rules.additionalProperties, schema.additionalProperties);
  const items = yield* compileChild(rules.items, schema.items);
  const branches: CompiledNode[] = [];
  for (const rule of rules.allOf ?? []) {
    const branch = yield* compileNode(rule, schema, isResource);
    if (branch) branches.push(branch);
  }
  if (own.length + properties.size + branches.length === 0 && !additional && !items) return undefined;
  return { schema, isResource, rules: own, properties, additional, items, branches };
}

type Child = JsonSchema | boolean | undefined;

function* compileChild(rules: Child, schema: Child): Steps<CompiledNode | undefined> {
  return typeof rules === "object" && typeof schema === "object"
    ? yield* compileNode(rules, schema, isEmbedded(schema))
    : undefined;
}

function* compileOwn(
  rules: readonly ValidationRule[],
  schema: JsonSchema,
  isResource: boolean,
): Steps<(CompiledRule | UnusableRule)[]> {
  if (rules.length === 0) return [];
  const type = typeOfSchema(schema, isResource)?.type;
  if (!type)
    return [{ problem: "rule compiler initialization error: failed to convert to declType for CEL validation rules" }];
  const own: (CompiledRule | UnusableRule)[] = [];
  for (const source of rules) if (source.rule.trim() !== "") own.push(yield* compileRule(source, schema, type));
  return own;
}

function* compileRule(source: ValidationRule, schema: JsonSchema, type: CelType): Steps<CompiledRule | UnusableRule> {
  const variables = ruleVariables(type, source);
  const program = yield* tryCompile(source.rule, variables, "bool");
  if (program instanceof CompileError) return { problem: `rule compile error: ${program.message}` };
  const message = source.messageExpression
    ? yield* tryCompile(source.messageExpression, variables, "string")
    : undefined;
  const fieldPath = source.fieldPath ? (parseFieldPath(source.fieldPath, schema) ?? "") : "";
  return {
    source,
    program,
    // ruleErrors reports one that does not compile when the schema is checked.
    message: message instanceof CompileError ? undefined : message,
    usesOldSelf: program.variables.has("oldSelf"),
    fieldPath,
  };
}

function* tryCompile(
  source: string,
  variables: Record<string, CelType>,
  result: "bool" | "string",
): Steps<Program | CompileError> {
  try {
    return yield* compileProgram(source, { variables, result });
  } catch (error) {
    if (error instanceof CompileError) return error;
    throw error;
  }
}
