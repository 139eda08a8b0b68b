import { expect, it } from "vitest";
import { parseImage } from "../../../../src/project/helm/values.ts";

it.each([
  ["controller", "controller", "", ""],
  ["controller:latest", "controller", "latest", ""],
  ["localhost:5000/team/operator", "localhost:5000/team/operator", "", ""],
  ["localhost:5000/team/operator:v1", "localhost:5000/team/operator", "v1", ""],
  ["example.com/operator@sha256:0a", "example.com/operator", "", "sha256:0a"],
  ["example.com/operator:v1@sha256:0a", "example.com/operator", "v1", "sha256:0a"],
])("parses %s", (image, repository, tag, digest) => {
  expect(parseImage(image)).toEqual({ repository, tag, digest });
});
