import { expect, it } from "vitest";
import { displayName } from "../../../../src/olm/csv/default-csv.ts";

it.each([
  ["appOperator", "App Operator"],
  ["app-_operator", "App Operator"],
  ["AppOperator", "App Operator"],
  ["appoperatoR", "Appoperato R"],
  ["APP", "APP"],
  ["another-AppOperator_againTwiceThrice More", "Another App Operator Again Twice Thrice More"],
  ["containerPort", "Container Port"],
  ["my.app", "My App"],
])("shows %s as %s", (name, title) => {
  expect(displayName(name)).toBe(title);
});
