import type { JSX } from "preact";
import { Panel } from "../parts/panel.tsx";
import { EditTab } from "./edit-tab.tsx";

const example = `apiVersion: v1
kind: ConfigMap
metadata:
  name: example
  namespace: default
data:
  key: value
`;

/** Applies any YAML. */
export function NewObject(): JSX.Element {
  return (
    <Panel label="New object" title="New object">
      <EditTab initial={example} />
    </Panel>
  );
}
