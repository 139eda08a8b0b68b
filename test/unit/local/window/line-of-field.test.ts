import { expect, it } from "vitest";
import { lineOfField } from "../../../../src/local/window/edit/line-of-field.ts";

const text = `apiVersion: v1
kind: Pod
metadata:
  name: web
  annotations:
    # a comment
    example.com/name: value
spec:
  containers:
  - name: a
    image: one
  - name: b
    ports:
      - containerPort: 80
      - containerPort: x
  volumes: []
`;

it.each([
  ["kind", 2],
  ["metadata.name", 4],
  ["metadata.annotations[example.com/name]", 7],
  ["spec.containers[0].image", 11],
  ["spec.containers[1].name", 12],
  ["spec.containers[1].ports[1].containerPort", 15],
  ["spec.containers[1].image", 12],
  ["spec.volumes", 16],
  ["spec.containers[7]", 9],
  ["nothing", 0],
])("finds %s in line %i", (path, line) => {
  expect(lineOfField(text, path)).toBe(line);
});
