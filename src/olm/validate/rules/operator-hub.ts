import type { Rule } from "../finding.ts";

/** Checks the fields that operatorhub.io shows. */
export const checkOperatorHub: Rule = ({ csv }, report) => {
  const { provider, maintainers = [], links = [], version } = csv.spec;
  const error = (field: string, detail: string, value?: string): void =>
    report("error", "hub", detail, { field, value });
  if (!provider?.name?.trim()) error("spec.provider.name", "is not set");
  for (const [index, { name, email }] of maintainers.entries()) {
    const field = `spec.maintainers[${index}]`;
    if (!name || !email) error(field, "must have a name and an email");
    if (email && !/^([^<>]*<)?[^@\s<>]+@[^@\s<>]+>?$/.test(email))
      error(`${field}.email`, "is not an email address", email);
  }
  for (const [index, { name, url }] of links.entries()) {
    const field = `spec.links[${index}]`;
    if (!name || !url) error(field, "must have a name and a url");
    if (url && !requestUri.test(url)) error(`${field}.url`, "is not a URL", url);
  }
  if (!version || version === "0.0.0") error("spec.version", "is not set");
};

/** Matches the texts that Go's url.ParseRequestURI accepts: a path may have spaces, a host may not. */
const requestUri = /^(\/|[a-z][a-z0-9+.-]*:(?!\/\/|$)|[a-z][a-z0-9+.-]*:\/\/[^\s/?#]*(?=[/?]|$))\P{Cc}*$/iu;

/** Checks the icon of the operator. */
export const checkIcon: Rule = ({ csv }, report) => {
  const { icon } = csv.spec;
  const field = "spec.icon";
  if (!icon) return report("warning", "hub-icon", "is not set", { field });
  const error = (detail: string): void => report("error", "hub-icon", detail, { field });
  if (icon.length !== 1) return error(`must have exactly one element, not ${icon.length}`);
  const [{ base64data, mediatype }] = icon as [(typeof icon)[number]];
  if (!base64data || !mediatype) error("must have base64data and a mediatype");
  else if (!/^image\/(gif|jpeg|png|svg\+xml)$/.test(mediatype)) {
    error(`mediatype ${mediatype} must be image/gif, image/jpeg, image/png or image/svg+xml`);
  }
};

/** Checks the capability level against the levels of operatorhub.io. */
export const checkCapabilities: Rule = ({ csv }, report) => {
  const value = csv.metadata.annotations?.["capabilities"];
  if (value === undefined || capabilities.includes(value)) return;
  const detail = `must be one of ${capabilities.join(", ")}`;
  report("error", "capabilities", detail, { field: "metadata.annotations[capabilities]", value });
};

const capabilities = ["Basic Install", "Seamless Upgrades", "Full Lifecycle", "Deep Insights", "Auto Pilot"];

/** Checks the categories against the categories of operatorhub.io. */
export const checkCategories: Rule = ({ csv }, report, { categories = knownCategories }) => {
  const text = csv.metadata.annotations?.["categories"];
  for (const value of text?.split(",").map((item) => item.trim()) ?? []) {
    if (categories.includes(value)) continue;
    const detail = `must be one of ${categories.join(", ")}`;
    report("error", "categories", detail, { field: "metadata.annotations[categories]", value });
  }
};

const knownCategories = (
  "AI/Machine Learning, Application Runtime, Big Data, Cloud Provider, Database, Developer Tools, " +
  "Integration & Delivery, Logging & Tracing, Modernization & Migration, Monitoring, Networking, Observability, " +
  "OpenShift Optional, Security, Storage, Streaming & Messaging"
).split(", ");

/** Warns of the old name of several validators. */
export const warnDeprecatedHub: Rule = (_, report) => {
  const detail = 'the validator "operatorhub" is deprecated: select operatorhubv2, capabilities and categories';
  report("warning", "deprecated-validator", detail);
};
