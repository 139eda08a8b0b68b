/** Errors of the dashboards. */
export const grafanaErrors = {
  TSOP_GRAFANA_CONFIG: {
    message: "{file} is not valid: {reason}",
    hint: "correct it as its comments show, then run: tsop edit --plugins grafana",
  },
} as const;
