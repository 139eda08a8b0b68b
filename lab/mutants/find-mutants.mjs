import { readFileSync } from "node:fs";
import { parseSync, Visitor } from "oxc-parser";

/** Comparisons, and what each becomes: the neighbour of its border, or its opposite. */
const comparisons = { "<": "<=", "<=": "<", ">": ">=", ">=": ">", "===": "!==", "!==": "===" };
const connectives = { "&&": "||", "||": "&&" };
/** Names of functions that exist to refuse something. */
const guards = /^(check|assert|require|refuse|verify|validate|reject)[A-Z]/;

/**
 * Returns the mutants of a source file: changes of one place that make a guard weaker, or a decision wrong. Each has the
 * text before and after, of its line and of the whole file.
 */
export function findMutants(path) {
  const text = readFileSync(path, "utf8");
  const { program } = parseSync(path, text);
  const mutants = [];
  const replace = (start, end, by) => mutants.push(mutantOf({ path, text, start, end, by }));
  const turnOperator = (node, turned) => {
    const by = turned[node.operator];
    if (!by) return;
    const start = text.indexOf(node.operator, node.left.end);
    replace(start, start + node.operator.length, by);
  };
  new Visitor({
    BinaryExpression: (node) => turnOperator(node, comparisons),
    LogicalExpression: (node) => turnOperator(node, connectives),
    UnaryExpression: (node) => node.operator === "!" && replace(node.start, node.start + 1, ""),
    IfStatement: ({ test, consequent, alternate }) =>
      !alternate && leaves(consequent) && replace(test.start, test.end, "false"),
    Literal: (node) => typeof node.value === "boolean" && replace(node.start, node.end, String(!node.value)),
    ExpressionStatement: ({ expression, start, end }) => isGuard(expression) && replace(start, end, ";"),
    VariableDeclarator: ({ id, init }) =>
      /^(most|max|longest|limit)/i.test(id.name ?? "") &&
      init?.type === "Literal" &&
      typeof init.value === "number" &&
      replace(init.start, init.end, `1000 * ${init.raw}`),
  }).visit(program);
  return mutants.filter(({ line }) => !line.trimStart().startsWith("import "));
}

function leaves(statement) {
  const last = statement.type === "BlockStatement" ? statement.body.at(-1) : statement;
  return ["ReturnStatement", "ThrowStatement", "ContinueStatement"].includes(last?.type);
}

function isGuard(expression) {
  const call = expression.type === "AwaitExpression" ? expression.argument : expression;
  if (call.type !== "CallExpression") return false;
  return guards.test(call.callee.name ?? call.callee.property?.name ?? "");
}

function mutantOf({ path, text, start, end, by }) {
  const mutated = text.slice(0, start) + by + text.slice(end);
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const lineEnd = text.indexOf("\n", end);
  return {
    path,
    number: text.slice(0, start).split("\n").length,
    line: oneLine(text.slice(from, lineEnd)),
    became: oneLine(mutated.slice(from, lineEnd + mutated.length - text.length)),
    original: text,
    mutated,
  };
}

function oneLine(text) {
  return text.trim().replaceAll(/\s+/g, " ");
}
