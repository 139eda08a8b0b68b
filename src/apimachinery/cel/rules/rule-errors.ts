import { forbidden, invalid, notSupported, required, type FieldError } from "../../field-error.ts";
import { childrenOf } from "../../schema/children-of.ts";
import type { JsonSchema, ValidationRule } from "../../json-schema.ts";
import type { TurnBudget } from "../../turn-budget.ts";
import { once } from "../../once.ts";
import { CompileError, programOrError, runStagesInTurns } from "../compile-rule.ts";
import { multiplyCost } from "../check/sized-cost.ts";
import { parseFieldPath, ruleVariables } from "./rule-tree.ts";
import { isEmbedded, largestRequest, type SchemaType, typeOfSchema } from "./schema-type.ts";

/**
 * Returns the errors of an API server in the rules of a schema when a CRD is created: rules that do not compile, cost
 * too much, or use an old value that does not exist. `path` is the schema's. `unsound` lists the other errors of the
 * schema: rules above such a place are not checked. Others go on between the rules.
 */
export async function ruleErrors(
  schema: JsonSchema,
  path: string,
  { unsound, turns }: { readonly unsound: readonly FieldError[]; readonly turns: TurnBudget },
): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  const budget = new CostBudget();
  const places = unsound.map(({ field }) => field);
  await visit(
    schema,
    { path, isResource: true, cardinality: 1, uncorrelatable: undefined },
    { errors, budget, places, turns },
  );
  return [...errors, ...budget.errors(path)];
}

/** Checks the texts of rules before they are compiled. */
export function ruleTextErrors(schema: JsonSchema, path: string): FieldError[] {
  const rules = schema["x-kubernetes-validations"] ?? [];
  const own = rules.flatMap((rule, index) => textErrors(rule, schema, `${path}.x-kubernetes-validations[${index}]`));
  return [...own, ...[...childrenOf(schema, path)].flatMap(({ child, at }) => ruleTextErrors(child, at))];
}

interface Place {
  readonly path: string;
  readonly isResource: boolean;
  /** The maximum number of values in an object; `undefined` if it is unlimited. */
  readonly cardinality: number | undefined;
  /** The enclosing list whose items have no old values. */
  readonly uncorrelatable: string | undefined;
  /** Reports whether the enclosing schemas have a type, from the outermost one with rules inwards. */
  readonly isTyped?: (() => boolean) | undefined;
}

interface Findings {
  readonly errors: FieldError[];
  readonly budget: CostBudget;
  /** The places with errors in the schema. */
  readonly places: readonly string[];
  readonly turns: TurnBudget;
}

async function visit(schema: JsonSchema, at: Place, findings: Findings): Promise<void> {
  const { path } = at;
  const rules = schema["x-kubernetes-validations"] ?? [];
  const typeOf = once(() => typeOfSchema(schema, at.isResource));
  const isTyped = once(() => (at.isTyped?.() ?? true) && typeOf() !== undefined);
  const inside = { ...at, isTyped: at.isTyped || rules.length > 0 ? isTyped : undefined };
  const enter = (child: JsonSchema, name: string, further: Partial<Place> = {}): Promise<void> =>
    visit(child, { ...inside, path: `${path}.${name}`, isResource: isEmbedded(child), ...further }, findings);
  for (const [name, property] of Object.entries(schema.properties ?? {})) await enter(property, `properties[${name}]`);
  const { additionalProperties: additional, items } = schema;
  if (typeof additional === "object")
    await enter(additional, "additionalProperties", { cardinality: times(at.cardinality, schema.maxProperties) });
  if (items)
    await enter(items, "items", {
      cardinality: times(at.cardinality, schema.maxItems),
      uncorrelatable: at.uncorrelatable ?? (schema["x-kubernetes-list-type"] === "map" ? undefined : path),
    });
  const pathOf = (index: number): string => `${path}.x-kubernetes-validations[${index}]`;
  const malformed = rules.flatMap((rule, index) => textErrors(rule, schema, pathOf(index)));
  findings.errors.push(...malformed);
  // Only well-formed rules are compiled.
  if (rules.length === 0 || malformed.length > 0 || findings.places.some((place) => place.startsWith(path))) return;
  const type = isTyped() ? typeOf() : undefined;
  if (!type) findings.errors.push(untyped(`${path}.x-kubernetes-validations`));
  else
    for (const [index, rule] of rules.entries()) await checkRule(rule, type, { ...at, path: pathOf(index) }, findings);
}

function untyped(field: string): FieldError {
  return { reason: "InternalError", field, message: "Internal error: the schema has no type for CEL" };
}

function times(cardinality: number | undefined, most: number | undefined): number | undefined {
  return cardinality === undefined || most === undefined ? undefined : multiplyCost(cardinality, most);
}

async function checkRule(
  rule: ValidationRule,
  { type, smallest }: SchemaType,
  at: Place,
  { errors, budget, turns }: Findings,
): Promise<void> {
  const { path, uncorrelatable } = at;
  const { messageExpression, optionalOldSelf } = rule;
  const variables = ruleVariables(type, rule);
  const check = async (field: "rule" | "messageExpression", result: "bool" | "string", count: number) => {
    const source = rule[field] ?? "";
    const program = await runStagesInTurns(programOrError(source, { variables, result }), turns);
    if (program instanceof CompileError) {
      const detail = field === "rule" ? program.message : `${field} ${program.message}`;
      return void errors.push(invalid(`${path}.${field}`, source, detail));
    }
    const cost = multiplyCost(program.cost, count);
    if (cost > ruleCostLimit)
      errors.push(forbidden(`${path}.${field}`, costProblem(`estimated ${field} cost`, cost, ruleCostLimit)));
    budget.add(`${path}.${field}`, cost);
    return program;
  };
  const program = await check("rule", "bool", at.cardinality ?? Math.floor(largestRequest / (smallest + 1)));
  if (program && messageExpression) await check("messageExpression", "string", 1);
  const usesOldSelf = program?.variables.has("oldSelf") === true;
  if (usesOldSelf && uncorrelatable !== undefined) {
    const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
    errors.push(invalid(`${path}.rule`, rule.rule, why));
  }
  if (!usesOldSelf && optionalOldSelf !== undefined)
    errors.push(invalid(`${path}.optionalOldSelf`, optionalOldSelf, "may not be set if oldSelf is not used in rule"));
}

const reasons = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

function textErrors(rule: ValidationRule, schema: JsonSchema, path: string): FieldError[] {
  const { message, messageExpression, fieldPath, reason } = rule;
  const errors: FieldError[] = [];
  if (rule.rule.trim() === "") errors.push(required(`${path}.rule`, "rule is not specified"));
  if (message && message.trim() === "")
    errors.push(invalid(`${path}.message`, message, "must be non-empty if specified"));
  else if (message && /[\n\r]/.test(message.trim()))
    errors.push(invalid(`${path}.message`, message, "must not contain line breaks"));
  else if (!message && /[\n\r]/.test(rule.rule.trim()))
    errors.push(required(`${path}.message`, "message must be specified if rule contains line breaks"));
  if (messageExpression && messageExpression.trim() === "")
    errors.push(required(`${path}.messageExpression`, "must be non-empty if specified"));
  if (reason !== undefined && !reasons.includes(reason)) errors.push(notSupported(`${path}.reason`, reason, reasons));
  if (fieldPath && parseFieldPath(fieldPath, schema) === undefined)
    errors.push(invalid(`${path}.fieldPath`, fieldPath, "must be a valid path"));
  return errors;
}

/** The limits for the estimated cost of a rule, and of all rules of a schema. */
const ruleCostLimit = 10_000_000;
const totalCostLimit = 100_000_000;

const expensiveCount = 4;

/** Sums the estimated costs of a schema's rules. */
class CostBudget {
  private total = 0;
  private readonly costs: { readonly path: string; readonly cost: number }[] = [];

  add(path: string, cost: number): void {
    this.total += cost;
    this.costs.push({ path, cost });
  }

  /** Reports the most expensive rules if the total exceeds the limit. `path` is the schema's. */
  errors(path: string): FieldError[] {
    if (this.total <= totalCostLimit) return [];
    const expensive = this.costs.toSorted((a, b) => b.cost - a.cost).slice(0, expensiveCount);
    const contributed = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
    const whole = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
    return [
      ...expensive.filter(({ cost }) => cost > totalCostLimit / 100).map((item) => forbidden(item.path, contributed)),
      forbidden(path, costProblem(whole, this.total, totalCostLimit)),
    ];
  }
}

/** Describes by how much a cost exceeds its limit, in the API server's words. */
function costProblem(what: string, cost: number, limit: number): string {
  const times = cost / limit;
  const factor = times > 100 ? "more than 100x" : `${times.toFixed(times < 1.5 ? 6 : 1)}x`;
  return `${what} exceeds budget by factor of ${factor} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}
