import type { BuiltinKind } from "../builtin-kind.ts";
import { agePrinter } from "../printing/printer.ts";

const note = "kubernetes.io/enforce-mountable-secrets";

/** ServiceAccount. */
export const serviceAccount: BuiltinKind = {
  returnsDeleted: true,
  warn: ({ metadata }, old) =>
    metadata.annotations?.[note] === undefined || old?.metadata.annotations?.[note] !== undefined
      ? []
      : [
          `metadata.annotations[${note}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
        ],
  printer: agePrinter,
};
