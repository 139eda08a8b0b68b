import { Command } from "commander";
import { expect, it } from "vitest";
import { addFlags } from "../../../../src/cli/flags/add-flags.ts";
import { apiFlags } from "../../../../src/project/scaffold/api/api-flags.ts";
import { initFlags } from "../../../../src/project/scaffold/init/init-flags.ts";
import { flagWords } from "../../../../src/project/scaffold/scaffold-flag.ts";
import { webhookFlags } from "../../../../src/project/scaffold/webhook/webhook-flags.ts";

it.each([
  ["a value", { domain: "example.com" }, ["--domain=example.com"]],
  ["an empty value", { owner: "" }, ["--owner="]],
  ["a value that is not known", { repo: undefined }, []],
  ["a switch that is on", { multigroup: true }, ["--multigroup"]],
  ["a switch that is off", { multigroup: false }, []],
  ["a list", { plugins: ["a", "b"] }, ["--plugins=a,b"]],
  ["flags in the order of the help", { namespaced: true, domain: "x.io" }, ["--domain=x.io", "--namespaced"]],
])("writes %s", (_what, values, words) => {
  expect(flagWords(initFlags, values)).toEqual(words);
});

it("writes a boolean that is off", () => {
  expect(flagWords(apiFlags, { make: false, runAsUser: 0 })).toEqual(["--run-as-user=0", "--make=false"]);
});

it.each(Object.entries({ initFlags, apiFlags, webhookFlags }))(
  "names the flags of %s as commander does",
  (_, flags) => {
    const { options } = addFlags(new Command(), flags);
    expect(options.map((option) => option.attributeName())).toEqual(Object.keys(flags));
  },
);
