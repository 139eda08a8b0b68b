import type { JsonSchema, ValidationRule } from "../../json-schema.ts";
import type { TurnBudget } from "../../turn-budget.ts";
import {
  CompileError,
  programOrError,
  runStages,
  runStagesInTurns,
  type Program,
  type Stages,
} from "../compile-rule.ts";
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
  readonly rules: readonly LazyRule[];
  readonly properties: ReadonlyMap<string, CompiledNode>;
  readonly additional: CompiledNode | undefined;
  readonly items: CompiledNode | undefined;
  /** Members of allOf with rules for the same value. */
  readonly branches: readonly CompiledNode[];
}

const compiled = new WeakMap<JsonSchema, { node: CompiledNode | undefined }>();

/** Returns the rules of a schema, which are compiled once; `undefined` if there are none. */
export function compileRules(schema: JsonSchema, isResource: boolean): CompiledNode | undefined {
  const known = compiled.get(schema);
  if (known) return known.node;
  const node = compileNode(schema, schema, isResource);
  compiled.set(schema, { node });
  return node;
}

/** Compiles the rules of a schema; others go on meanwhile. */
export async function prepareRules(schema: JsonSchema, isResource: boolean, turns: TurnBudget): Promise<void> {
  for (const node of nodesOf(compileRules(schema, isResource)))
    for (const rule of node.rules) await rule.prepare(turns);
}

function* nodesOf(node: CompiledNode | undefined): Generator<CompiledNode> {
  if (!node) return;
  yield node;
  for (const below of [...node.properties.values(), node.additional, node.items, ...node.branches])
    yield* nodesOf(below);
}

/** Returns the variables of a rule: `self`, and `oldSelf`, which can be optional. */
export function ruleVariables(type: CelType, rule: ValidationRule): Record<string, CelType> {
  return { self: type, oldSelf: rule.optionalOldSelf ? { kind: "optional", element: type } : type };
}

/** Compiles a node. `rules` holds the rules and may be a member of allOf; `schema` declares the value. */
function compileNode(rules: JsonSchema, schema: JsonSchema, isResource: boolean): CompiledNode | undefined {
  const own = compileOwn(rules["x-kubernetes-validations"] ?? [], schema, isResource);
  const properties = new Map<string, CompiledNode>();
  for (const [name, child] of Object.entries(rules.properties ?? {})) {
    const declared = schema.properties?.[name];
    // A property with rules but without a known type is left out.
    const isHidden = child["x-kubernetes-validations"] && declared && !typeOfSchema(declared, isEmbedded(declared));
    const node = declared && !isHidden && compileNode(child, declared, isEmbedded(declared));
    if (node) properties.set(name, node);
  }
  const additional = compileChild(rules.additionalProperties, schema.additionalProperties);
  const items = compileChild(rules.items, schema.items);
  const branches = (rules.allOf ?? []).flatMap((branch) => compileNode(branch, schema, isResource) ?? []);
  if (own.length + properties.size + branches.length === 0 && !additional && !items) return undefined;
  return { schema, isResource, rules: own, properties, additional, items, branches };
}

type Child = JsonSchema | boolean | undefined;

function compileChild(rules: Child, schema: Child): CompiledNode | undefined {
  return typeof rules === "object" && typeof schema === "object"
    ? compileNode(rules, schema, isEmbedded(schema))
    : undefined;
}

function compileOwn(rules: readonly ValidationRule[], schema: JsonSchema, isResource: boolean): CompiledNode["rules"] {
  if (rules.length === 0) return [];
  const type = typeOfSchema(schema, isResource)?.type;
  return rules.filter(({ rule }) => rule.trim() !== "").map((source) => new LazyRule(source, schema, type));
}

const untyped: UnusableRule = {
  problem: "rule compiler initialization error: failed to convert to declType for CEL validation rules",
};

/** A rule that is compiled when it is needed. */
export class LazyRule {
  private readonly source: ValidationRule;
  private readonly schema: JsonSchema;
  private readonly type: CelType | undefined;
  private compiled: CompiledRule | UnusableRule | undefined;

  constructor(source: ValidationRule, schema: JsonSchema, type: CelType | undefined) {
    this.source = source;
    this.schema = schema;
    this.type = type;
  }

  get(): CompiledRule | UnusableRule {
    return (this.compiled ??= runStages(this.compile()));
  }

  /** Compiles the rule; others go on between the stages. */
  async prepare(turns: TurnBudget): Promise<void> {
    this.compiled ??= await runStagesInTurns(this.compile(), turns);
  }

  private *compile(): Stages<CompiledRule | UnusableRule> {
    const { source, schema, type } = this;
    if (!type) return untyped;
    const { rule, messageExpression, fieldPath = "" } = source;
    const variables = ruleVariables(type, source);
    const program = yield* programOrError(rule, { variables, result: "bool" });
    if (program instanceof CompileError) return { problem: `rule compile error: ${program.message}` };
    const message = messageExpression
      ? yield* programOrError(messageExpression, { variables, result: "string" })
      : undefined;
    return {
      source,
      program,
      // ruleErrors reports one that does not compile when the schema is checked.
      message: message instanceof CompileError ? undefined : message,
      usesOldSelf: program.variables.has("oldSelf"),
      fieldPath: parseFieldPath(fieldPath, schema) ?? "",
    };
  }
}

/**
 * Normalizes a rule's fieldPath, such as `.a['b.c']`, for error messages; returns `undefined` if it does not resolve.
 */
export function parseFieldPath(text: string, schema: JsonSchema): string | undefined {
  let at: JsonSchema | undefined = schema;
  let path = "";
  let rest = text;
  while (rest !== "") {
    const match = /^(?:\.([^.[\]']+)|\['((?:[^'\\]|\\.)*)'\])/.exec(rest);
    if (!match || !at) return undefined;
    const name: string = match[1] ?? match[2]!.replace(/\\(.)/g, "$1");
    rest = rest.slice(match[0].length);
    if (at.properties) {
      path += `.${name}`;
      at = Object.hasOwn(at.properties, name) ? at.properties[name] : undefined;
      if (!at) return undefined;
    } else if (typeof at.additionalProperties === "object") {
      path += `[${name}]`;
      at = at.additionalProperties;
    } else return undefined;
  }
  return path;
}
