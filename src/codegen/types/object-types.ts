import type {
  Class,
  ClassElement,
  PropertyDefinition,
  TSInterfaceDeclaration,
  TSPropertySignature,
  TSSignature,
  TSType,
  TSTypeLiteral,
} from "oxc-parser";
import type { Marker } from "../markers/marker.ts";
import { valuesOf, type ParsedMarker } from "../source/parse-markers.ts";
import { hasParentRule } from "../markers/tags.ts";
import { unionTagRules, unionTags, type MemberArguments, type UnionField } from "../markers/union-tags.ts";
import { optionalMarkers, requiredMarkers, immutable, schemaless } from "../markers/schema-fields.ts";
import { recordOrigin } from "../source/rule-origins.ts";
import { addRule } from "../markers/validation.ts";
import { describe } from "../source/description.ts";
import { applyMarkers } from "./apply-markers.ts";
import { forbid, type Draft } from "./schema-draft.ts";
import { withBase } from "./heritage.ts";
import { within, type Scope } from "./scope.ts";
import type { TypeEvaluator } from "./type-evaluator.ts";

/** Evaluates an interface with its own properties and its bases'. */
export function interfaceSchema(node: TSInterfaceDeclaration, scope: Scope, types: TypeEvaluator): Draft {
  const own = membersSchema(node.body.body, scope, types);
  return node.extends.reduce<Draft>((draft, base) => withBase(draft, base, scope, types), own);
}

/** Evaluates an inline `{ a: T }`. */
export function literalSchema(node: TSTypeLiteral, scope: Scope, types: TypeEvaluator): Draft {
  return membersSchema(node.members, scope, types);
}

/** Evaluates a class: its declared instance properties. */
export function classSchema(node: Class, scope: Scope, types: TypeEvaluator): Draft {
  const draft: Draft = { type: "object" };
  for (const member of node.body.body.filter(isData)) {
    const property = propertyOf(member);
    if (property) addProperty(draft, property, scope, types);
    else types.unsupported(member, scope, "a computed property name", "write the name explicitly");
  }
  for (const member of node.body.body) {
    if (member.type === "TSAbstractPropertyDefinition")
      types.unsupported(member, scope, "an abstract property", "declare it without abstract");
    const parameters = member.type === "MethodDefinition" ? member.value.params : [];
    const hidden = parameters.find(
      (one) => one.type === "TSParameterProperty" && (one.accessibility ?? "public") === "public",
    );
    if (hidden) types.unsupported(hidden, scope, "a property among parameters", "declare it in the body of the class");
  }
  finish(draft, node.body.body.filter(isData), scope);
  const { superClass: expression, superTypeArguments: typeArguments = null } = node;
  return expression ? withBase(draft, { expression, typeArguments, start: expression.start }, scope, types) : draft;
}

/** Reports whether a member is a public instance property. */
function isData(member: ClassElement): member is PropertyDefinition {
  if (member.type !== "PropertyDefinition" || member.static || member.key.type === "PrivateIdentifier") return false;
  return !member.accessibility || member.accessibility === "public";
}

/** One property as it is declared. */
export interface Property {
  readonly name: string;
  readonly optional: boolean;
  readonly type: TSType | undefined;
  readonly node: { readonly start: number };
}

/** Returns the property that a member declares; `undefined` for methods, index signatures and computed names. */
export function propertyOf(member: TSSignature | PropertyDefinition): Property | undefined {
  if (member.type !== "TSPropertySignature" && member.type !== "PropertyDefinition") return undefined;
  const name = propertyName(member);
  if (name === undefined) return undefined;
  return { name, optional: member.optional ?? false, type: member.typeAnnotation?.typeAnnotation, node: member };
}

function membersSchema(members: readonly TSSignature[], scope: Scope, types: TypeEvaluator): Draft {
  const draft: Draft = { type: "object" };
  for (const member of members) {
    const property = propertyOf(member);
    if (property) addProperty(draft, property, scope, types);
    else if (member.type === "TSIndexSignature") addIndex(draft, member.typeAnnotation.typeAnnotation, scope, types);
    else if (member.type !== "TSPropertySignature") {
      types.unsupported(member, scope, "a method", "remove it: API types are plain data");
    } else if (!isBrand(member)) {
      types.unsupported(member, scope, "a computed property name", "write the name explicitly");
    }
  }
  if (draft.properties && typeof draft.additionalProperties === "object") {
    types.unsupported(
      members[0] ?? { start: 0 },
      scope,
      "an index signature and properties in one type",
      "move the map into a separate property",
    );
    delete draft.additionalProperties;
  }
  finish(draft, members, scope);
  return draft;
}

/** Reports whether a member is keyed by a unique symbol, which exists only for the compiler. */
function isBrand(member: TSPropertySignature): boolean {
  return member.computed && (member.key.type === "Identifier" || member.key.type === "MemberExpression");
}

function finish(draft: Draft, members: readonly (TSSignature | PropertyDefinition)[], scope: Scope): void {
  if (draft.required) draft.required = [...new Set(draft.required)].sort();
  const fields = members.flatMap((member): (UnionField & { parsed: ParsedMarker })[] => {
    const { name } = propertyOf(member) ?? {};
    if (name === undefined) return [];
    const required = draft.required?.includes(name) ?? false;
    const markers = scope.module.markers.byDeclaration.get(member.start) ?? [];
    return markers
      .filter(({ marker }) => unionTags.includes(marker))
      .map((parsed) => ({
        field: name,
        required,
        is: parsed.marker as Marker<MemberArguments>,
        member: parsed.value as MemberArguments,
        parsed,
      }));
  });
  for (const rule of unionTagRules(fields)) addRule(draft, rule);
  const [first] = fields;
  if (first) recordOrigin(draft, first.parsed);
}

function addProperty(draft: Draft, property: Property, scope: Scope, types: TypeEvaluator): void {
  const { name, node } = property;
  const { module } = scope;
  if (isForbidden(property)) return forbid(draft, [name]);
  const inner = within(scope, name);
  const markers = module.markers.byDeclaration.get(node.start) ?? [];
  const required = isRequired(property, markers, scope);
  warnOfContradiction(property, markers, { required, scope: inner }, types);
  const schema = propertySchema(property, markers, inner, types);
  const text = describe(module.file.comments.get(node.start));
  if (text) schema.description = text;
  applyMarkers(schema, markers, { required, report: types.report });
  const fixed = markers.find((parsed) => (parsed.marker as unknown) === immutable);
  if (fixed && !required) {
    addRule(draft, {
      rule: `!has(oldSelf.${name}) || has(self.${name})`,
      message: `field ${name} is immutable once set`,
    });
    recordOrigin(draft, fixed);
  }
  for (const parsed of markers) {
    const rule = hasParentRule(parsed.marker) ? parsed.marker.ruleOfParent(name, parsed.value) : undefined;
    if (!rule) continue;
    addRule(draft, rule);
    recordOrigin(draft, parsed);
  }
  const properties = (draft.properties ??= {});
  Object.defineProperty(properties, name, { value: schema, enumerable: true, configurable: true, writable: true });
  if (required) (draft.required ??= []).push(name);
}

/** Reports whether a property must be absent: `x?: never`, `x: undefined`. */
function isForbidden({ optional, type }: Property): boolean {
  return type?.type === "TSUndefinedKeyword" || (optional && type?.type === "TSNeverKeyword");
}

function propertySchema(
  { type, node }: Property,
  markers: readonly ParsedMarker[],
  scope: Scope,
  types: TypeEvaluator,
): Draft {
  if (valuesOf(markers, schemaless).length > 0) return {};
  return type
    ? types.schemaOf(type, scope)
    : types.unsupported(node, scope, "a property without a type", "write its type");
}

/** Warns if a marker contradicts the `?`: the marker wins, but the compiler follows the `?`. */
function warnOfContradiction(
  { optional, type }: Property,
  markers: readonly ParsedMarker[],
  { required, scope }: { required: boolean; scope: Scope },
  types: TypeEvaluator,
): void {
  const mayBeAbsent = optional || (type !== undefined && allowsUndefined(type));
  const marker = markers.find(({ marker }) =>
    [...requiredMarkers, ...optionalMarkers].includes(marker as Marker<true>),
  );
  if (!marker || required !== mayBeAbsent) return;
  // Go has the marker there, too. The CRD never requires it, unless a marker does, and every object has it.
  if (isRootMetadata(scope) && !required) return;
  types.report.warning(marker, "TSOP_CRD_ADVICE", {
    path: scope.path,
    reason: `the marker makes the field ${required ? "required, but its ? makes it optional" : "optional, but its type makes it required"}`,
    advice: required ? "remove the ? or the marker" : "add ? to the field, or remove the marker",
  });
}

function isRootMetadata({ path, stack }: Scope): boolean {
  return stack.length === 1 && /^[^.]+\.metadata$/.test(path);
}

/** Decides by markers first, then by the folder's default, then by `?`. */
function isRequired({ optional, type }: Property, markers: readonly ParsedMarker[], { module }: Scope): boolean {
  const has = (candidates: readonly { name: string }[], among: readonly ParsedMarker[]): boolean =>
    among.some(({ marker, items }) => !items && candidates.includes(marker));
  if (has(optionalMarkers.slice(0, 1), markers)) return false;
  if (has(requiredMarkers.slice(0, 1), markers)) return true;
  if (has(optionalMarkers, markers)) return false;
  if (has(requiredMarkers, markers)) return true;
  if (has(optionalMarkers, module.folderMarkers())) return false;
  return !optional && !(type && allowsUndefined(type));
}

/** JSON has no `undefined`: such a property is absent. */
function allowsUndefined(type: TSType): boolean {
  if (type.type === "TSParenthesizedType") return allowsUndefined(type.typeAnnotation);
  if (type.type === "TSUnionType") return type.types.some(allowsUndefined);
  return type.type === "TSUndefinedKeyword";
}

function addIndex(draft: Draft, type: TSType, scope: Scope, types: TypeEvaluator): void {
  if (type.type === "TSUnknownKeyword" || type.type === "TSAnyKeyword") {
    draft["x-kubernetes-preserve-unknown-fields"] = true;
  } else {
    draft.additionalProperties = types.schemaOf(type, { ...scope, path: `${scope.path}[key]` });
  }
}

function propertyName(member: { computed: boolean; key: { type: string } }): string | undefined {
  const { key } = member;
  if (!member.computed && key.type === "Identifier") return (key as unknown as { name: string }).name;
  return key.type === "Literal" ? String((key as unknown as { value: unknown }).value) : undefined;
}
